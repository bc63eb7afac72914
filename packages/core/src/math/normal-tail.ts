import { type DoubleDouble, productError, type ScaledDoubleDouble, sumError } from './double-double.ts'
import { expPrecise } from './exp.ts'

/** Beyond this the tail is below half the smallest double. */
export const TAIL_END = 38.6

// 1 / √(2π), the density at 0.
const PEAK_HI = 0.3989422804014327
const PEAK_LO = -2.49232720227773e-17

const NODES_PER_UNIT = 8
const TABLE_END = 5

// Φ(−j/8)·e^((j/8)²/2) for j = 0 … 40, each as hi, lo.
const NODE_TAILS = new Float64Array([
  0.5, 0, 0.45379322204089234, 1.4834072415685714e-17, 0.4140321029477354, 1.6593012241084574e-17,
  0.37960442786885923, 9.35640784404466e-18, 0.34961883472039806, 5.852285105716737e-18, 0.323356168715662,
  -2.358487014766872e-17, 0.30023246233995093, 2.3538197066020127e-18, 0.2797705702723972,
  -1.8268935817458216e-17, 0.2615782918651234, -8.473622911119317e-18, 0.24533138893179401,
  -1.374535560232283e-17, 0.23076032130563176, 1.2757616866751203e-17, 0.2176398236545568,
  -8.984704192172341e-18, 0.2057806669773947, -3.144494638440171e-18, 0.1950231099182575,
  4.2154370042345223e-19, 0.18523166467823896, 5.204928727591149e-18, 0.1762908913558997,
  -1.183152936319102e-17, 0.1681020012231706, 1.2414036991617827e-17, 0.16058009965156322,
  8.518949259668977e-18, 0.15365193742384164, -5.693933548426739e-18, 0.14725406811450736,
  2.754758428657388e-18, 0.1413313313805753, 1.1713582016477226e-17, 0.1358355990527586,
  3.802275628115729e-18, 0.13072473410074711, 1.1881945407800617e-19, 0.12596172279110265,
  5.1437535193978145e-18, 0.12151394835556217, -6.432117119983667e-18, 0.11735258076253542,
  4.4536686645103016e-18, 0.11345206212929865, -6.865953898366728e-18, 0.10978967122602923,
  4.4110083357442655e-18, 0.10634515363370545, -4.714181777755187e-19, 0.10310040660100768,
  6.335309745201497e-18, 0.10003920963545321, -3.4263544556381647e-18, 0.09714699346527685,
  -5.19667666526883e-18, 0.09441064130196894, -2.7718791762467385e-18, 0.09181831738201464,
  -1.1240204549909501e-18, 0.08935931861967142, 1.3396901276330882e-18, 0.0870239458994306,
  2.4648526469067568e-18, 0.08480339210780034, 4.2695939551923514e-18, 0.08268964447351632,
  -1.6057272827762389e-18, 0.08067539917254936, 3.247075260131705e-18, 0.07875398647475142,
  -6.091411350454833e-19, 0.07691930497500629, 4.1399418884552445e-18,
])

export interface NormalTail extends ScaledDoubleDouble {
  /** The density φ(t), on the same scale 2^exponent. */
  readonly density: number
}

/** Φ(−t) with a relative error below 2^−64, for 0 ≤ t ≤ TAIL_END. */
export function normalTail(t: number): NormalTail {
  const square = t * t
  const gauss = expPrecise(-square / 2, -productError(t, t, square) / 2)
  const tail = t < TABLE_END ? tailByTaylor(t) : tailByFraction(t)
  const hi = tail.hi * gauss.hi
  return {
    hi,
    lo: productError(tail.hi, gauss.hi, hi) + (tail.hi * gauss.lo + tail.lo * gauss.hi),
    exponent: gauss.exponent,
    density: PEAK_HI * gauss.hi,
  }
}

/**
 * G(t) = Φ(−t)·e^(t²/2) from its Taylor series at the nearest node. Since G′ = t·G − φ(0), the coefficients
 * follow from G(node) alone: g₁ = node·g₀ − φ(0) and (n+1)·gₙ₊₁ = node·gₙ + gₙ₋₁.
 */
function tailByTaylor(t: number): DoubleDouble {
  const index = Math.floor(t * NODES_PER_UNIT + 0.5)
  const node = index / NODES_PER_UNIT
  const h = t - node
  const g0 = NODE_TAILS[2 * index]!
  const g0Lo = NODE_TAILS[2 * index + 1]!
  const product1 = node * g0
  const g1 = product1 - PEAK_HI
  const g1Lo = sumError(product1, -PEAK_HI, g1) + (productError(node, g0, product1) + node * g0Lo - PEAK_LO)
  const product2 = node * g1
  const twiceG2 = product2 + g0
  const twiceG2Lo = sumError(product2, g0, twiceG2) + (productError(node, g1, product2) + node * g1Lo + g0Lo)

  let before = (twiceG2 + twiceG2Lo) / 2
  const cubic = (node * before + (g1 + g1Lo)) / 3
  let coefficient = cubic
  let power = 1
  let higher = 0
  for (let n = 4; n <= 14; n++) {
    const next = (node * coefficient + before) / n
    before = coefficient
    coefficient = next
    power *= h
    higher += coefficient * power
  }

  const quadratic = plusProduct(twiceG2 / 2, twiceG2Lo / 2, cubic, higher, h)
  const linear = plusProduct(g1, g1Lo, quadratic.hi, quadratic.lo, h)
  return plusProduct(g0, g0Lo, linear.hi, linear.lo, h)
}

/** (a + aLo) + (b + bLo)·h. */
function plusProduct(a: number, aLo: number, b: number, bLo: number, h: number): DoubleDouble {
  const product = b * h
  const sum = a + product
  return { hi: sum, lo: sumError(a, product, sum) + (productError(b, h, product) + bLo * h + aLo) }
}

const FRACTION_LEVELS = 44
const PRECISE_LEVELS = 8

/** G(t) = φ(0) / (t + 1/(t + 2/(t + 3/(t + …)))), whose inner levels hardly matter and need no extra precision. */
function tailByFraction(t: number): DoubleDouble {
  let level = t
  for (let n = FRACTION_LEVELS; n > PRECISE_LEVELS; n--) level = t + n / level
  let denominator: DoubleDouble = { hi: level, lo: 0 }
  for (let n = PRECISE_LEVELS; n > 0; n--) {
    const part = quotient(n, 0, denominator)
    const sum = t + part.hi
    denominator = { hi: sum, lo: sumError(t, part.hi, sum) + part.lo }
  }
  return quotient(PEAK_HI, PEAK_LO, denominator)
}

/** (a + aLo) / divisor. */
function quotient(a: number, aLo: number, divisor: DoubleDouble): DoubleDouble {
  const hi = a / divisor.hi
  const back = hi * divisor.hi
  return { hi, lo: (a - back - productError(hi, divisor.hi, back) + aLo - hi * divisor.lo) / divisor.hi }
}
