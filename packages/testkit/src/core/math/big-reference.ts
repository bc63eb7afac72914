/** The same functions in 320-bit fixed point by other methods, slow and simple: the reference for the tests. */

const BITS = 320
const SHIFT = BigInt(BITS)
const ONE = 1n << SHIFT

/** mantissa · 2^exponent, so that a result near 2^−1074 keeps its digits. */
export interface Real {
  readonly mantissa: bigint
  readonly exponent: number
}

const magnitude = (a: bigint): bigint => (a < 0n ? -a : a)
const bitLength = (a: bigint): number => magnitude(a).toString(2).length
const shift = (a: bigint, by: number): bigint => (by >= 0 ? a << BigInt(by) : a >> BigInt(-by))
const times = (a: bigint, b: bigint): bigint => (a * b) >> SHIFT
const over = (a: bigint, b: bigint): bigint => (a << SHIFT) / b
const real = (fixed: bigint, exponent = 0): Real => ({ mantissa: fixed, exponent: exponent - BITS })

/** A finite double as mantissa and exponent, exactly. */
export function exactly(x: number): Real {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  const bits = view.getBigUint64(0)
  const field = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const mantissa = field === 0 ? fraction : fraction | (1n << 52n)
  return { mantissa: x < 0 ? -mantissa : mantissa, exponent: Math.max(field, 1) - 1075 }
}

const fixed = (x: Real): bigint => shift(x.mantissa, x.exponent + BITS)

/** The distance of `actual` from `expected`, in units of the last place of a double near `expected`. */
export function ulpsBetween(actual: number, expected: Real): number {
  if (!Number.isFinite(actual)) return Infinity
  const top = expected.mantissa === 0n ? -1022 : bitLength(expected.mantissa) - 1 + expected.exponent
  const ulp = Math.max(top, -1022) - 52
  const got = exactly(actual)
  const finest = Math.min(got.exponent, expected.exponent, ulp - 64)
  const difference =
    shift(got.mantissa, got.exponent - finest) - shift(expected.mantissa, expected.exponent - finest)
  return Number(shift(magnitude(difference), finest - ulp + 64)) / 2 ** 64
}

/** The relative distance of the double-double (hi + lo)·2^exponent from `expected`. */
export function relativeError(hi: number, lo: number, exponent: number, expected: Real): number {
  const [a, b] = [exactly(hi), exactly(lo)]
  const finest = Math.min(a.exponent, b.exponent, expected.exponent - exponent)
  const got = shift(a.mantissa, a.exponent - finest) + shift(b.mantissa, b.exponent - finest)
  const want = shift(expected.mantissa, expected.exponent - exponent - finest)
  return Number((magnitude(got - want) << 200n) / magnitude(want)) / 2 ** 200
}

function artanhOfInverse(n: bigint): bigint {
  let sum = 0n
  for (let k = 1n, power = ONE / n; power > 0n; k += 2n, power /= n * n) sum += power / k
  return sum
}

function arctanOfInverse(n: bigint): bigint {
  let sum = 0n
  for (let k = 1n, power = ONE / n; power !== 0n; k += 2n, power /= -n * n) sum += power / k
  return sum
}

function squareRoot(a: bigint): bigint {
  const scaled = a << SHIFT
  let root = 1n << BigInt((bitLength(scaled) >> 1) + 1)
  for (;;) {
    const next = (root + scaled / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

const LN2 = 2n * artanhOfInverse(3n)
const PI = 16n * arctanOfInverse(5n) - 4n * arctanOfInverse(239n)
const SQRT_TWO_PI = squareRoot(2n * PI)

/** e^x − 1 for small x, by its series. */
function seriesOfExpm1(x: bigint): bigint {
  let sum = 0n
  for (let n = 1n, term = x; magnitude(term) > 1n; n += 1n, term = times(term, x) / n) sum += term
  return sum
}

const HALVINGS = 12

function expOfFixed(x: bigint): Real {
  const twos = (2n * x + LN2) / (2n * LN2)
  let power = ONE + seriesOfExpm1((x - twos * LN2) >> BigInt(HALVINGS))
  for (let i = 0; i < HALVINGS; i++) power = times(power, power)
  return real(power, Number(twos))
}

function logOfFixed(x: bigint): bigint {
  let y = fixed(exactly(Math.log(Number(x) / Number(ONE))))
  for (let i = 0; i < 2; i++) {
    const power = fixed(expOfFixed(y))
    y += over(2n * (x - power), x + power)
  }
  return y
}

export const bigExp = (x: number): Real => expOfFixed(fixed(exactly(x)))

export function bigExpm1(x: number): Real {
  if (Math.abs(x) < 0.25) return real(seriesOfExpm1(fixed(exactly(x))))
  return real(fixed(bigExp(x)) - ONE)
}

export function bigLog(x: number): Real {
  const { mantissa, exponent } = exactly(x)
  const twos = bitLength(mantissa) - (x < 1 ? 0 : 1)
  return real(logOfFixed(shift(mantissa, BITS - twos)) + BigInt(exponent + twos) * LN2)
}

export const bigLog1p = (x: number): Real => real(logOfFixed(ONE + fixed(exactly(x))))

export function bigPow(base: number, exponent: number): Real {
  const power = exactly(exponent)
  return expOfFixed(shift(power.mantissa * fixed(bigLog(base)), power.exponent))
}

export function bigNormalDensity(x: number): Real {
  const { mantissa, exponent } = exactly(x)
  const gauss = expOfFixed(-shift(mantissa * mantissa, 2 * exponent + BITS - 1))
  return { mantissa: over(gauss.mantissa, SQRT_TWO_PI), exponent: gauss.exponent }
}

/** (Φ(t) − ½) / φ(t) = t + t³/3 + t⁵/(3·5) + … */
function centreRatio(t: bigint): bigint {
  const square = times(t, t)
  let sum = 0n
  for (let n = 1n, term = t; term > 0n; n += 2n, term = times(term, square) / n) sum += term
  return sum
}

/** Φ(−t) / φ(t) = 1/(t + 1/(t + 2/(t + …))). */
function tailRatio(t: bigint, levels: bigint): bigint {
  let denominator = t
  for (let n = levels; n > 0n; n--) denominator = t + over(n << SHIFT, denominator)
  return over(ONE, denominator)
}

const FRACTION_FROM = 6

export function bigNormalCdf(x: number): Real {
  const t = fixed(exactly(Math.abs(x)))
  const density = bigNormalDensity(x)
  if (Math.abs(x) < FRACTION_FROM) {
    const centre = times(centreRatio(t), fixed(density))
    return real(ONE / 2n + (x < 0 ? -centre : centre))
  }
  const tail = { mantissa: times(tailRatio(t, 200n), density.mantissa), exponent: density.exponent }
  return x < 0 ? tail : real(ONE - fixed(tail))
}

/** Φ⁻¹(p) by a Newton step from a nearby double `near`: accurate to far below one ulp if `near` is close. */
export function bigNormalQuantile(p: number, near: number): Real {
  const cdf = bigNormalCdf(near)
  const density = bigNormalDensity(near)
  const finest = Math.min(cdf.exponent, -1074)
  const target = exactly(p)
  const excess = shift(cdf.mantissa, cdf.exponent - finest) - shift(target.mantissa, target.exponent - finest)
  const step = shift(excess, finest - density.exponent + BITS) / density.mantissa
  return real(fixed(exactly(near)) - step)
}
