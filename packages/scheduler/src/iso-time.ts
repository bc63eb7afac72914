/** An instant for people to read; a clock may show any number, and most have no date. */
export function isoTime(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}
