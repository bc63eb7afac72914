import type { OutputPart } from '../api/records.ts'

/** As much as a page shows of a run that prints without end: its newest characters. */
export const MOST_CHARACTERS = 256 * 1_024

/** The output of a run as a page keeps it; text of one stream that follows text of the same is one part. */
export function appended(parts: readonly OutputPart[], part: OutputPart): readonly OutputPart[] {
  const last = parts.at(-1)
  const joined =
    last !== undefined && last.stream !== 'gap' && part.stream === last.stream
      ? [...parts.slice(0, -1), { stream: last.stream, text: last.text + part.text }]
      : [...parts, part]
  return cut(joined)
}

function cut(parts: readonly OutputPart[]): readonly OutputPart[] {
  let over = parts.reduce((sum, part) => sum + lengthOf(part), -MOST_CHARACTERS)
  if (over <= 0) return parts
  let bytes = 0
  const rest: OutputPart[] = []
  for (const part of parts) {
    if (part.stream === 'gap' && rest.length === 0) bytes += part.bytes
    else if (over >= lengthOf(part)) bytes += lengthOf(part)
    else if (part.stream === 'gap') rest.push(part)
    else {
      if (over > 0) bytes += over
      rest.push(over > 0 ? { stream: part.stream, text: part.text.slice(over) } : part)
    }
    over -= lengthOf(part)
  }
  return [{ stream: 'gap', bytes }, ...rest]
}

const lengthOf = (part: OutputPart): number => (part.stream === 'gap' ? 0 : part.text.length)

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const SEQUENCE = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g

/** Text without the colours and cursor movements that are meant for a terminal. */
export const withoutSequences = (text: string): string => text.replace(SEQUENCE, '').replaceAll('\r\n', '\n')
