import { scaleByPowerOfTwo } from './bits.ts'
import { type DoubleDouble, productError, type ScaledDoubleDouble, sumError } from './double-double.ts'

const STEPS = 32
// 32 / ln 2
const STEPS_PER_UNIT = 46.16624130844683
// ln 2 / 32 in two parts; the first has 36 bits, so that a multiple of it is exact.
const STEP_HI = 0.021660849392446835
const STEP_LO = 5.145609244655338e-14

/** Below this, e^x − 1 rounds to x. */
const NEGLIGIBLE = 5e-17

// 2^(j/32) for j = 0 … 31, each as hi, lo.
// biome-ignore-start lint/suspicious/noApproximativeNumericConstant: √2 is one entry of a table
const ROOTS = new Float64Array([
  1, 0, 1.0218971486541166, 5.109225028973444e-17, 1.0442737824274138, 8.551889705537965e-17,
  1.0671404006768237, -7.899853966841582e-17, 1.0905077326652577, -3.046782079812471e-17, 1.1143867425958924,
  1.0410278456845571e-16, 1.1387886347566916, 8.912812676025408e-17, 1.1637248587775775,
  3.8292048369240935e-17, 1.189207115002721, 3.982015231465646e-17, 1.215247359980469, -7.712630692681488e-17,
  1.241857812073484, 4.658027591836937e-17, 1.2690509571917332, 2.667932131342186e-18, 1.2968395546510096,
  2.5382502794888315e-17, 1.3252366431597413, -2.8587312100388614e-17, 1.3542555469368927,
  7.70094837980299e-17, 1.383909881963832, -6.770511658794786e-17, 1.4142135623730951, -9.667293313452913e-17,
  1.4451808069770467, -3.0237581349939873e-17, 1.4768261459394993, -3.483994556892796e-17, 1.5091644275934228,
  -1.016455327754295e-16, 1.5422108254079407, 7.949834809697621e-17, 1.5759808451078865,
  -1.0136916471278304e-17, 1.6104903319492543, 2.4707192569797888e-17, 1.645755478153965,
  -1.0125679913674773e-16, 1.681792830507429, 8.199010020581497e-17, 1.718619298122478,
  -1.851380418263111e-17, 1.7562521603732995, 2.960140695448873e-17, 1.7947090750031072,
  1.8227458427912087e-17, 1.8340080864093424, 3.283107224245627e-17, 1.8741676341103, -6.122763413004143e-17,
  1.9152065613971474, -1.0619946056195963e-16, 1.9571441241754002, 8.960767791036668e-17,
])
// biome-ignore-end lint/suspicious/noApproximativeNumericConstant: √2 is one entry of a table

/** e^x within 0.501 ulp, or 0.75 where the result is subnormal. */
export function exp(x: number): number {
  if (x > 710) return Infinity
  if (x < -746) return 0
  if (Number.isNaN(x)) return x
  const power = expPrecise(x, 0)
  return scaleByPowerOfTwo(power.hi + power.lo, power.exponent)
}

/** e^x − 1 within 0.51 ulp, without the cancellation near 0. */
export function expm1(x: number): number {
  if (x > 710) return Infinity
  if (x < -40) return -1
  if (Number.isNaN(x) || Math.abs(x) < NEGLIGIBLE) return x
  if (Math.abs(x) * STEPS_PER_UNIT < 0.5) {
    const small = expm1OfSmall(x, 0)
    return small.hi + small.lo
  }
  const power = expPrecise(x, 0)
  if (power.exponent > 60) return scaleByPowerOfTwo(power.hi + power.lo, power.exponent)
  const hi = scaleByPowerOfTwo(power.hi, power.exponent)
  const lo = scaleByPowerOfTwo(power.lo, power.exponent)
  const difference = hi - 1
  return difference + (sumError(hi, -1, difference) + lo)
}

/** e^(hi + lo) with a relative error below 2^−72, for −746 ≤ hi ≤ 710. */
export function expPrecise(hi: number, lo: number): ScaledDoubleDouble {
  const step = Math.floor(hi * STEPS_PER_UNIT + 0.5)
  const root = step & (STEPS - 1)
  const rest = hi - step * STEP_HI
  const correction = lo - step * STEP_LO
  const reduced = rest + correction
  const small = expm1OfSmall(reduced, sumError(rest, correction, reduced))

  const rootHi = ROOTS[2 * root]!
  const rootLo = ROOTS[2 * root + 1]!
  const product = rootHi * small.hi
  const productLo = productError(rootHi, small.hi, product) + rootHi * small.lo + rootLo * small.hi
  const sum = rootHi + product
  const sumLo = sumError(rootHi, product, sum) + (productLo + rootLo)
  const result = sum + sumLo
  return { hi: result, lo: sumError(sum, sumLo, result), exponent: (step - root) / STEPS }
}

/** e^(hi + lo) − 1 by its power series, for |hi| ≤ ln 2 / 64. */
function expm1OfSmall(hi: number, lo: number): DoubleDouble {
  const square = hi * hi
  const squareLo = productError(hi, hi, square) + 2 * hi * lo
  const higher =
    square *
    hi *
    (1 / 6 +
      hi * (1 / 24 + hi * (1 / 120 + hi * (1 / 720 + hi * (1 / 5040 + hi * (1 / 40320 + hi / 362880))))))
  const sum = hi + square / 2
  return { hi: sum, lo: sumError(hi, square / 2, sum) + (lo + squareLo / 2 + higher) }
}
