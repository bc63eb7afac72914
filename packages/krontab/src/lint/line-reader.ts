/** Returns lines by number; callers must ask in ascending order. */
export function lineReader(text: string): (line: number) => string {
  let start = 0
  let current = 1
  return line => {
    for (; current < line; current++) start = text.indexOf('\n', start) + 1
    const end = text.indexOf('\n', start)
    return text.slice(start, end < 0 ? text.length : end)
  }
}
