const LONGEST_COPY = 12
/** A line has at most 65,536 bytes. One buffer for all texts: a new one for each costs as much as the copy. */
const copy = Buffer.allocUnsafeSlow(65_536)

/** Copies the text: a slice would keep the whole file it was cut from in memory. */
export function flat(text: string): string {
  if (text.length <= LONGEST_COPY) return text
  if (text.length > copy.length / 3) return Buffer.from(text, 'utf8').toString('utf8')
  return copy.toString('utf8', 0, copy.write(text, 'utf8'))
}
