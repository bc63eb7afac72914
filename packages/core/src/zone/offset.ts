/** Seconds east of UTC at an instant in epoch seconds. */
export type OffsetReader = (at: number) => number

/** Reads a zone's offsets from the runtime's own data, about 1 µs a reading; undefined if it does not know the name. */
export const offsetReader = (name: string): OffsetReader | undefined =>
  'Temporal' in globalThis ? temporalReader(name) : intlReader(name)

/** The part of Temporal that we use. Without Temporal the first reading costs 20 ms, which short programs would feel. */
interface TemporalLike {
  readonly Instant: {
    fromEpochMilliseconds(ms: number): {
      toZonedDateTimeISO(zone: string): { readonly offsetNanoseconds: number }
    }
  }
}

function temporalReader(name: string): OffsetReader | undefined {
  const { Instant } = (globalThis as unknown as { readonly Temporal: TemporalLike }).Temporal
  const read = (at: number): number =>
    Math.round(Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(name).offsetNanoseconds / 1e9)
  try {
    read(0)
    return read
  } catch {
    return undefined
  }
}

export function intlReader(name: string): OffsetReader | undefined {
  const format = formatOf(name)
  return format && (at => offsetIn(format.format(at * 1000)))
}

/** The name the runtime itself uses for a zone it knows. */
export const runtimeName = (name: string): string | undefined => formatOf(name)?.resolvedOptions().timeZone

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hour: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
  } catch {
    return undefined
  }
}

/** The offset in a text such as `23 GMT-00:44:30` or, where it is zero, `23 GMT`. */
function offsetIn(text: string): number {
  const at = text.indexOf('GMT') + 3
  if (at >= text.length) return 0
  const size = digits(text, at + 1) * 3600 + digits(text, at + 4) * 60 + digits(text, at + 7)
  return text[at] === '+' ? size : -size
}

const digits = (text: string, at: number): number =>
  at < text.length ? (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48 : 0

/** The zone data of the runtime: `ICU` and, where the runtime tells it, the version. */
export function runtimeZoneData(): string {
  const { process } = globalThis as { readonly process?: { readonly versions?: { readonly tz?: string } } }
  const version = process?.versions?.tz
  return version === undefined ? 'ICU' : `ICU ${version}`
}
