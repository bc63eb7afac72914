import { zoneNamed } from './schedule-files.ts'

export type ZoneName = string

const formats = new Map<string, Intl.DateTimeFormat>()

function format(zone: ZoneName, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`
  let known = formats.get(key)
  if (known === undefined) {
    known = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options })
    formats.set(key, known)
  }
  return known
}

const dateOf = (seconds: number): Date => new Date(seconds * 1_000)

/** The instant in a zone by krond's tables; by the browser's where no job has the zone. */
function shown(seconds: number, zone: ZoneName, options: Intl.DateTimeFormatOptions): string {
  const known = zoneNamed(zone)
  if (known === undefined) return format(zone, options).format(dateOf(seconds))
  return format('UTC', options).format(dateOf(seconds + known.offsetAt(seconds)))
}

export const localZone = (): ZoneName => Intl.DateTimeFormat().resolvedOptions().timeZone

/** `14:05:09` */
export const clockText = (seconds: number, zone: ZoneName): string =>
  shown(seconds, zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** `14:05` */
export const minuteText = (seconds: number, zone: ZoneName): string =>
  shown(seconds, zone, { hour: '2-digit', minute: '2-digit' })

/** `Mon 16 Nov`, with the year if it is not this one. */
export function dayText(seconds: number, zone: ZoneName): string {
  const far = dateOf(seconds).getUTCFullYear() !== new Date().getUTCFullYear()
  const day: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }
  return shown(seconds, zone, far ? { ...day, year: 'numeric' } : day).replace(',', '')
}

/** `Mon 16 Nov 14:05:09` */
export const momentText = (seconds: number, zone: ZoneName): string =>
  `${dayText(seconds, zone)} ${clockText(seconds, zone)}`

/** `2h 5m`, `45s`: two units are enough for a glance. */
export function spanText(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  const units: readonly [number, string][] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'm'],
    [1, 's'],
  ]
  const first = units.findIndex(([size]) => whole >= size)
  if (first < 0) return '0s'
  const [size, name] = units[first]!
  const rest = whole % size
  const second = units[first + 1]
  const minor = second === undefined ? 0 : Math.floor(rest / second[0])
  return `${Math.floor(whole / size)}${name}${minor > 0 ? ` ${minor}${second![1]}` : ''}`
}

/** `in 2h 5m`, `3m ago`, `now` */
export function relativeText(seconds: number, now: number): string {
  const away = Math.round(seconds - now)
  if (away === 0) return 'now'
  return away > 0 ? `in ${spanText(away)}` : `${spanText(away)} ago`
}

export const countText = (n: number): string => n.toLocaleString('en-GB')

export const jobsText = (n: number): string => `${countText(n)} ${n === 1 ? 'job' : 'jobs'}`

export const ratioText = (n: number): string =>
  n >= 100 ? countText(Math.round(n)) : n.toFixed(n >= 10 ? 1 : 2)

/** `0.4s`, `12s`, `3m 4s` of milliseconds. */
export function durationText(ms: number): string {
  if (ms < 50) return '<0.1s'
  return ms < 9_950 ? `${(ms / 1_000).toFixed(1)}s` : spanText(ms / 1_000)
}

/** `97%`; only all of them are 100 %, only none of them 0 %. */
export function percentText(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = (part / whole) * 100
  if (part > 0 && part < whole)
    return `${Math.min(99.9, Math.max(0.1, percent)).toFixed(percent > 99 || percent < 1 ? 1 : 0)}%`
  return `${percent}%`
}

/** `512 B`, `12 KiB`, `3.4 MiB` */
export function bytesText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  const kib = bytes / 1_024
  return kib < 1_024 ? `${kib.toFixed(kib < 10 ? 1 : 0)} KiB` : `${(kib / 1_024).toFixed(1)} MiB`
}

/** The name of a job in its identity `FILE:NAME`. */
export const nameOf = (identity: string): string => identity.slice(identity.lastIndexOf(':') + 1)
