/** An instant as text. A clock may return any number, and most numbers have no date. */
export function isoTime(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}
