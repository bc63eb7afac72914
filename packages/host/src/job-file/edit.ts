import { parseJobFile } from './parse.ts'

/** The file without one entry, everything else byte for byte; undefined if no line holds it. */
export function removeEntry(text: string, path: string, name: string): string | undefined {
  const entry = parseJobFile(text, path).entries.find(each => each.name === name)
  if (entry === undefined) return undefined
  let start = 0
  for (let line = 1; line < entry.line; line++) start = text.indexOf('\n', start) + 1
  const newline = text.indexOf('\n', start)
  return text.slice(0, start) + (newline < 0 ? '' : text.slice(newline + 1))
}
