/** The binary exponent of a double: reading it and scaling by it are exact where logarithms are not. */

const LEAST_EXPONENT = -1022
const GREATEST_EXPONENT = 1023
const SMALLEST_NORMAL = 2.2250738585072014e-308
const SUBNORMAL_SHIFT = 54

// Every normal power of two, since a lookup is many times faster than putting the bits together.
const POWERS_OF_TWO = new Float64Array(GREATEST_EXPONENT - LEAST_EXPONENT + 1)
for (let i = 0, power = SMALLEST_NORMAL; i < POWERS_OF_TWO.length; i++, power *= 2) POWERS_OF_TWO[i] = power

/** 2^n for −1022 ≤ n ≤ 1023. */
export const powerOfTwo = (n: number): number => POWERS_OF_TWO[n - LEAST_EXPONENT]!

/** x·2^n for |n| ≤ 2044, rounded at most once when x itself is of ordinary size. */
export function scaleByPowerOfTwo(x: number, n: number): number {
  const half = n >> 1
  return x * powerOfTwo(half) * powerOfTwo(n - half)
}

// A DataView, because the word order of a typed-array pair depends on the machine.
const scratch = new DataView(new ArrayBuffer(8))

function exponentOfNormal(x: number): number {
  scratch.setFloat64(0, x)
  return (scratch.getUint32(0) >>> 20) - GREATEST_EXPONENT
}

/** The e with 2^e ≤ x < 2^(e+1), for positive finite x. */
export function exponentOf(x: number): number {
  if (x >= SMALLEST_NORMAL) return exponentOfNormal(x)
  return exponentOfNormal(x * powerOfTwo(SUBNORMAL_SHIFT)) - SUBNORMAL_SHIFT
}
