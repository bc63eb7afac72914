/** A TZif file as a test writes it: transitions with the index of their type, and the types' offsets. */
export interface TzifText {
  readonly version?: 1 | 2 | 3 | 4
  readonly transitions?: readonly (readonly [at: number, type: number])[]
  readonly offsets?: readonly number[]
  readonly footer?: string
  readonly leaps?: number
}

/** The bytes of a TZif file. */
export function makeTzif(text: TzifText): Buffer {
  const { version = 2, footer = '' } = text
  const first = block(version === 1 ? text : { offsets: [0] }, version, 4)
  if (version === 1) return first
  return Buffer.concat([first, block(text, version, 8), Buffer.from(`\n${footer}\n`)])
}

function block(
  { transitions = [], offsets = [0], leaps = 0 }: TzifText,
  version: number,
  width: 4 | 8,
): Buffer {
  const header = Buffer.alloc(44)
  header.write('TZif')
  header[4] = version === 1 ? 0 : 0x30 + version
  const counts = [0, 0, leaps, transitions.length, offsets.length, 4]
  for (const [place, count] of counts.entries()) header.writeUInt32BE(count, 20 + 4 * place)
  const times = Buffer.alloc(transitions.length * width)
  for (const [i, [at]] of transitions.entries())
    if (width === 4) times.writeInt32BE(at, i * 4)
    else times.writeBigInt64BE(BigInt(at), i * 8)
  const types = Buffer.alloc(offsets.length * 6)
  for (const [i, offset] of offsets.entries()) types.writeInt32BE(offset, i * 6)
  return Buffer.concat([
    header,
    times,
    Buffer.from(transitions.map(([, type]) => type)),
    types,
    Buffer.from('LMT\0'),
    Buffer.alloc(leaps * (width + 4)),
  ])
}
