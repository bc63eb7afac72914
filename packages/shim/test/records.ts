/** Reads the files a run leaves (claim, kept output) and checks every rule of their layout. */
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

export interface End {
  exit?: number
  signal?: number
  why: string
  out: number
  err: number
  dropped: number
  undelivered: number
  left: number
  started: bigint
  ended: bigint
  user: number
  system: number
  memory: number
}

export function endOf(lines: string[]): End {
  const end: Record<string, unknown> = {}
  for (const line of lines) {
    const [key, value] = line.split(' ')
    end[key!] = key === 'why' ? value : key === 'started' || key === 'ended' ? BigInt(value!) : Number(value)
  }
  return end as unknown as End
}

export interface Kept {
  total: number
  head: Buffer
  tail: Buffer
  gap: number
  streams: Set<number>
}

/** Reads a kept output file, checking every rule of its layout. */
export function readKept(file: Buffer): Kept {
  const fail = (what: string) => {
    throw new Error(`kept output: ${what}`)
  }
  if (file.subarray(0, 16).toString() !== 'kron-output 1\n\0\0') fail('magic')
  if (crc32(file.subarray(0, 60)) !== file.readUInt32LE(60)) fail('crc')
  const [keep, headUsed, ringStart, ringUsed, total] = [16, 24, 32, 40, 48].map(at =>
    Number(file.readBigUInt64LE(at)),
  ) as [number, number, number, number, number]
  const headRoom = Math.floor(keep / 2)
  const ringRoom = keep - headRoom
  if (headUsed > headRoom || ringUsed > ringRoom || (ringRoom > 0 && ringStart >= ringRoom)) fail('bounds')
  const streams = new Set<number>()
  const record = (at: number) => {
    const length = file.readUIntLE(at + 1, 3)
    const stream = file[at]!
    if (length < 1 || length > 4096 || (stream !== 1 && stream !== 2)) fail(`record at ${at}`)
    streams.add(stream)
    return { size: 4 + length, data: file.subarray(at + 4, at + 4 + length) }
  }
  const head: Buffer[] = []
  let at = 0
  while (at < headUsed) {
    const { size, data } = record(64 + at)
    head.push(data)
    at += size
  }
  if (at !== headUsed) fail('head does not end with a record')
  const tail: Buffer[] = []
  at = ringStart
  let left = ringUsed
  while (left > 0) {
    if (ringRoom - at < 5) {
      left -= ringRoom - at
      at = 0
      continue
    }
    const { size, data } = record(64 + headRoom + at)
    if (at + size > ringRoom) fail('record wraps around')
    tail.push(data)
    at = (at + size) % ringRoom
    left -= size
  }
  if (left !== 0) fail('ring does not end with a record')
  const joined = { head: Buffer.concat(head), tail: Buffer.concat(tail) }
  return { total, ...joined, gap: total - joined.head.length - joined.tail.length, streams }
}

/** The parts of a claim file, checked. */
export function readClaim(file: string): (Record<string, string> | 'empty' | 'damaged')[] {
  const bytes = readFileSync(file)
  return [
    [0, 1024],
    [1024, 2048],
    [2048, 4096],
  ].map(([from, to]) => {
    const part = bytes.subarray(from, to)
    const used = part.indexOf(0) < 0 ? part.length : part.indexOf(0)
    if (used === 0) return 'empty'
    const text = part.subarray(0, used).toString()
    const match = /^([\s\S]*)crc ([0-9a-f]{8})\n$/.exec(text)
    if (!match || crc32(Buffer.from(match[1]!)).toString(16).padStart(8, '0') !== match[2]) return 'damaged'
    const lines = match[1]!.trimEnd().split('\n')
    return Object.fromEntries(
      lines.map(line => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
    )
  })
}
