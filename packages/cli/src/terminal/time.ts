import { printInstant, weekdayOfDays, type Zone } from '@kron/core'

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** `Sun 2026-03-01 02:37:12 +01:00`, or `… UTC`. */
export function localText(at: number, zone: Zone): string {
  const offset = zone.offsetAt(at)
  const weekday = WEEKDAYS[weekdayOfDays(Math.floor((at + offset) / 86_400))]!
  const text = printInstant(at + offset)
  return `${weekday} ${text.slice(0, 10)} ${text.slice(11, 19)} ${zone.name === 'UTC' ? 'UTC' : offsetText(offset)}`
}

/** `02:37:12`, with the date in front if it is another than that of `beside`. */
export function clockBeside(at: number, beside: number, zone: Zone): string {
  const text = printInstant(at + zone.offsetAt(at))
  const same = text.slice(0, 10) === printInstant(beside + zone.offsetAt(beside)).slice(0, 10)
  return same ? text.slice(11, 19) : `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

export function offsetText(offset: number): string {
  const size = Math.abs(offset)
  const two = (n: number): string => String(n).padStart(2, '0')
  const seconds = size % 60 === 0 ? '' : `:${two(size % 60)}`
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 3_600))}:${two(Math.floor(size / 60) % 60)}${seconds}`
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

/** `3 h 12 m`: the two largest units of a number of seconds. */
export function spanText(seconds: number): string {
  if (seconds === 0) return '0 s'
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  let rest = seconds
  const parts: string[] = []
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.join(' ')
}

/** `in 3 h 12 m`, `5 s ago`, `now`. */
export function relativeText(at: number, now: number): string {
  if (at === now) return 'now'
  return at > now ? `in ${spanText(at - now)}` : `${spanText(now - at)} ago`
}

/** `12 ms`, `3.4 s`, then as `spanText`. */
export function millisecondsText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`
  return spanText(Math.round(milliseconds / 1_000))
}

/** `512 B`, `9.7 KiB`, `5.0 MiB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1_024 ** power).toFixed(1)} ${['', 'K', 'M', 'G', 'T'][power]}iB`
}
