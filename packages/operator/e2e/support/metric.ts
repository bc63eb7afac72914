import type { Replica } from './replica.ts'

/** The value of one series of a replica. 0 if the series does not exist. */
export async function metricOf(
  { port }: Replica,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`)
  const line = text.split('\n').find(each => {
    return (
      (each.startsWith(`${name}{`) || each.startsWith(`${name} `)) &&
      wanted.every(label => each.includes(label))
    )
  })
  return line === undefined ? 0 : Number(line.split(' ').at(-1))
}
