import { crc32 } from 'node:zlib'
import {
  CommitBuffer,
  HEADER_SIZE,
  parseSegment,
  segmentHeader,
} from '../../../packages/runtime/src/disk/journal-format.ts'
import { must, type Target } from '../target.ts'

function segment(...commits: string[][]): string {
  const parts: Uint8Array[] = [segmentHeader()]
  for (const [number, records] of commits.entries()) {
    const buffer = new CommitBuffer()
    for (const record of records) buffer.add(record)
    parts.push(Buffer.from(buffer.seal(number)))
  }
  return Buffer.concat(parts).toString('latin1')
}

export const target: Target = {
  seeds: [segment(), segment(['a']), segment(['a', 'bc'], ['']), segment([], ['KCMT'], ['{"x":1}', 'y'])],
  tokens: [
    'KRONJRNL',
    'KCMT',
    '\x01\0\0\0',
    '\0\0\0\0',
    '\xff\xff\xff\xff',
    '\x14\0\0\0',
    segment(['x']).slice(HEADER_SIZE),
  ],
  longest: 400,
  mend,
  run(text) {
    const bytes = Buffer.from(text, 'latin1')
    const { records, commits, end } = parseSegment(bytes)
    must(records.reduce((sum, each) => sum + each.length, 0) <= bytes.length, 'records come from the bytes')
    if (end.kind === 'damaged') return must(end.offset <= bytes.length, 'damage lies in the file')
    const sound = end.kind === 'torn' ? bytes.subarray(0, end.size) : bytes
    const again = parseSegment(sound)
    must(again.end.kind === 'sound' && again.commits === commits, 'what comes before a torn end is sound')
    const cut = HEADER_SIZE + (text.charCodeAt(text.length - 1) % (sound.length - HEADER_SIZE + 1))
    const part = parseSegment(sound.subarray(0, cut))
    must(part.end.kind !== 'damaged', 'a crash, which cuts the end, is not taken for damage')
    must(
      part.records.every((each, i) => Buffer.compare(each, records[i]!) === 0),
      'a cut loses only the end',
    )
  },
}

/** Makes the checksums right, so that changes get past them. */
function mend(input: string): string {
  const bytes = Buffer.from(input, 'latin1')
  if (bytes.length < HEADER_SIZE) return input
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12)
  for (let at = bytes.indexOf('KCMT'); at >= 0; at = bytes.indexOf('KCMT', at + 1)) {
    if (at + 20 > bytes.length) break
    let start = at + 20
    const end = start + bytes.readUInt32LE(at + 12)
    while (start + 8 <= Math.min(end, bytes.length)) {
      const length = Math.min(bytes.readUInt32LE(start), bytes.length - start - 8)
      bytes.writeUInt32LE(crc32(bytes.subarray(start + 8, start + 8 + length)), start + 4)
      start += 8 + length
    }
    bytes.writeUInt32LE(crc32(bytes.subarray(at, at + 16)), at + 16)
  }
  return bytes.toString('latin1')
}
