/** The error for a file that is not a usable TZif file. */
export class TzifError extends Error {
  override readonly name = 'TzifError'
}

/** The part of a TZif file (RFC 8536 and 9636) that decides offsets; names and daylight-saving flags do not. */
export interface Tzif {
  readonly version: 1 | 2 | 3 | 4
  /** The offset before the first transition, in seconds east of UTC. */
  readonly initial: number
  /** Epoch seconds, ascending. */
  readonly transitions: readonly number[]
  /** The offset from each transition on. */
  readonly offsets: readonly number[]
  /** The rule after the last transition, as a POSIX TZ string; empty in version 1 and where there is none. */
  readonly footer: string
}

const HEADER = 44
const MAGIC = 0x54_5a_69_66

interface Header {
  readonly version: 1 | 2 | 3 | 4
  readonly isUtc: number
  readonly isStandard: number
  readonly leaps: number
  readonly times: number
  readonly types: number
  readonly characters: number
}

/** Reads a TZif file. Every count and index is checked against the actual bytes; any violation is a TzifError. */
export function readTzif(bytes: Uint8Array): Tzif {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = readHeader(view, 0)
  if (first.version === 1) return readBlock(view, first, HEADER, 4, '')
  const second = HEADER + blockSize(first, 4)
  const header = readHeader(view, second)
  if (header.version !== first.version)
    throw new TzifError(`its headers name versions ${first.version} and ${header.version}`)
  const block = second + HEADER
  const footer = readFooter(bytes, block + blockSize(header, 8))
  return readBlock(view, header, block, 8, footer)
}

function readHeader(view: DataView, at: number): Header {
  if (view.byteLength < at + HEADER) throw new TzifError('it ends within a header')
  if (view.getUint32(at) !== MAGIC) throw new TzifError('it does not begin with "TZif"')
  const count = (place: number): number => view.getUint32(at + 20 + 4 * place)
  const header: Header = {
    version: versionOf(view.getUint8(at + 4)),
    isUtc: count(0),
    isStandard: count(1),
    leaps: count(2),
    times: count(3),
    types: count(4),
    characters: count(5),
  }
  const { isUtc, isStandard, types, characters } = header
  if (types === 0 || types > 256) throw new TzifError(`it has ${types} local time types`)
  if (characters === 0) throw new TzifError('it has no zone abbreviations')
  if ((isUtc !== 0 && isUtc !== types) || (isStandard !== 0 && isStandard !== types))
    throw new TzifError('its indicators are not as many as its local time types')
  return header
}

function versionOf(byte: number): Header['version'] {
  if (byte === 0) return 1
  if (byte === 0x32 || byte === 0x33 || byte === 0x34) return (byte - 0x30) as 2 | 3 | 4
  throw new TzifError(`its version byte is ${byte}`)
}

const blockSize = ({ isUtc, isStandard, leaps, times, types, characters }: Header, width: 4 | 8): number =>
  times * (width + 1) + types * 6 + characters + leaps * (width + 4) + isStandard + isUtc

/** Every zone is less than a day away from UTC; the engine relies on it. */
const DAY = 86_400

/** A bound for 64-bit times that lies beyond all relevant times; a double holds it exactly enough. */
const MOST_SECONDS = 2 ** 59

function readBlock(view: DataView, header: Header, at: number, width: 4 | 8, footer: string): Tzif {
  const { version, leaps, times, types, characters } = header
  if (view.byteLength < at + blockSize(header, width)) throw new TzifError('it ends within its data')
  if (leaps > 0) throw new TzifError('it counts leap seconds, which Unix time does not')
  const typeAt = at + times * (width + 1)
  const typeOffsets = Array.from({ length: types }, (_, i) => {
    const offset = view.getInt32(typeAt + 6 * i)
    if (Math.abs(offset) >= DAY) throw new TzifError(`it has an offset of ${offset} seconds`)
    if (view.getUint8(typeAt + 6 * i + 4) > 1)
      throw new TzifError('a daylight saving flag is neither 0 nor 1')
    if (view.getUint8(typeAt + 6 * i + 5) >= characters)
      throw new TzifError('a zone abbreviation lies outside the file')
    return offset
  })
  const transitions: number[] = []
  const offsets: number[] = []
  for (let i = 0; i < times; i++) {
    const time = width === 4 ? view.getInt32(at + 4 * i) : Number(view.getBigInt64(at + 8 * i))
    if (Math.abs(time) > MOST_SECONDS) throw new TzifError(`it has a transition at ${time}`)
    if (i > 0 && time <= transitions[i - 1]!) throw new TzifError('its transitions do not ascend')
    const offset = typeOffsets[view.getUint8(at + times * width + i)]
    if (offset === undefined) throw new TzifError('a transition names a local time type that is not there')
    transitions.push(time)
    offsets.push(offset)
  }
  return { version, initial: typeOffsets[0]!, transitions, offsets, footer }
}

const NEWLINE = 10

function readFooter(bytes: Uint8Array, at: number): string {
  if (at >= bytes.length) throw new TzifError('it ends before its footer')
  if (bytes[at] !== NEWLINE) throw new TzifError('its footer does not begin with a line end')
  const end = bytes.indexOf(NEWLINE, at + 1)
  if (end < 0) throw new TzifError('its footer has no line end')
  return String.fromCharCode(...bytes.subarray(at + 1, Math.min(end, at + 1 + LONGEST_FOOTER)))
}

/** Longer than any rule; a truncated rule is unreadable. */
const LONGEST_FOOTER = 256
