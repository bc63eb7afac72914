import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The clients of the API server, by user agent. */
export const OPERATOR = /^kron-operator/
export const CRON_CONTROLLER = /cronjob-controller/

/** The API server's own record of who asked when, watches and leases set aside. */
export class Traffic {
  readonly #asked: readonly { readonly at: number; readonly client: string }[]

  constructor(directory: string) {
    const lines = readFileSync(join(directory, 'audit.log'), 'utf8').split('\n')
    this.#asked = lines.flatMap(line => {
      if (line === '') return []
      const { userAgent = '', requestReceivedTimestamp, verb, objectRef } = JSON.parse(line)
      if (verb === 'watch' || objectRef?.resource === 'leases') return []
      return [{ at: Date.parse(requestReceivedTimestamp) / 1000, client: userAgent as string }]
    })
  }

  requests(client: RegExp, from: number, to: number): number {
    return this.#asked.filter(each => each.at >= from && each.at < to && client.test(each.client)).length
  }
}

/** A number that the operator tells of itself. */
export async function metric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.*)$`, 'm').exec(text)?.[1])
}
