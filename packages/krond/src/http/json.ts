import type { Work } from './slices.ts'

const AT_ONCE = 32

/** The JSON of an answer; a long list in it is printed with pauses. */
export function* printJson(answer: object): Work<string> {
  const members: string[] = []
  for (const [key, value] of Object.entries(answer)) {
    if (value === undefined) continue
    members.push(
      `${JSON.stringify(key)}:${Array.isArray(value) ? yield* printList(value) : JSON.stringify(value)}`,
    )
  }
  return `{${members.join()}}`
}

function* printList(list: readonly unknown[]): Work<string> {
  let text = ''
  for (let at = 0; at < list.length; at += AT_ONCE) {
    const some = JSON.stringify(list.slice(at, at + AT_ONCE))
    text += at === 0 ? some.slice(1, -1) : `,${some.slice(1, -1)}`
    yield
  }
  return `[${text}]`
}
