const ISO = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNITS = [7 * DAY, DAY, HOUR, MINUTE, SECOND]

/** An ISO 8601 duration of weeks, days, hours, minutes and seconds in milliseconds. Undefined for any other text. */
export function parseIsoDuration(text: string): number | undefined {
  const amounts = ISO.exec(text)?.slice(1)
  if (amounts === undefined || amounts.every(amount => amount === undefined)) return undefined
  return amounts.reduce(
    (sum, amount, index) =>
      sum + (amount === undefined ? 0 : Number(amount.replace(',', '.')) * UNITS[index]!),
    0,
  )
}
