/** SplitMix64 on 32-bit halves: BigInt would cost five times as much. */
export interface Generator {
  high: number
  low: number
}

/** Seeded with the first 8 bytes of a hash, big-endian. */
export const generatorFrom = (seedHash: string): Generator => ({
  high: wordAt(seedHash, 0),
  low: wordAt(seedHash, 8),
})

/** Eight hex digits, without a branch on each: random digits are never predicted. */
function wordAt(hex: string, from: number): number {
  let word = 0
  for (let i = from; i < from + 8; i++) {
    const code = hex.charCodeAt(i)
    word = (word << 4) | ((code & 15) + 9 * (code >> 6))
  }
  return word
}

const TO_UNIT = 1 / 9_007_199_254_740_992 // 2^-53

/** The next `u`: the top 53 bits of the next output, 0 ≤ u < 1. */
export function nextUnit(generator: Generator): number {
  const sum = (generator.low >>> 0) + 0x7f4a7c15
  const low = sum | 0
  const high = (generator.high + 0x9e3779b9 + (sum > 0xffff_ffff ? 1 : 0)) | 0
  generator.low = low
  generator.high = high

  let zl = low ^ ((low >>> 30) | (high << 2))
  let zh = high ^ (high >>> 30)
  let product = timesHigh(zl, 0x1ce4e5b9) + Math.imul(zh, 0x1ce4e5b9) + Math.imul(zl, 0xbf58476d)
  zl = Math.imul(zl, 0x1ce4e5b9)
  zh = product | 0

  zl ^= (zl >>> 27) | (zh << 5)
  zh ^= zh >>> 27
  product = timesHigh(zl, 0x133111eb) + Math.imul(zh, 0x133111eb) + Math.imul(zl, 0x94d049bb)
  zl = Math.imul(zl, 0x133111eb)
  zh = product | 0

  zl ^= (zl >>> 31) | (zh << 1)
  zh ^= zh >>> 31
  return ((zh >>> 0) * 0x20_0000 + (zl >>> 11)) * TO_UNIT
}

/** The high half of an unsigned 32 × 32 bit product. */
function timesHigh(a: number, b: number): number {
  const a0 = a & 0xffff
  const a1 = a >>> 16
  const b0 = b & 0xffff
  const b1 = b >>> 16
  const middle = (Math.imul(a1, b0) >>> 0) + (Math.imul(a0, b0) >>> 16)
  const carry = (Math.imul(a0, b1) >>> 0) + (middle & 0xffff)
  return (Math.imul(a1, b1) >>> 0) + (middle >>> 16) + (carry >>> 16)
}
