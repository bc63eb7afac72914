import { exponentOf, scaleByPowerOfTwo } from './bits.ts'
import { type DoubleDouble, productError, sumError } from './double-double.ts'

// ln 2 in two parts; the first has 40 bits, so that a multiple of it by an exponent is exact.
const LN2_HI = 0.6931471805592082
const LN2_LO = 7.371002565167799e-13
const TWO_THIRDS_HI = 0.6666666666666666
const TWO_THIRDS_LO = 3.700743415417188e-17

/** Below this, x − x²/2 + … rounds to x. */
const NEGLIGIBLE = 5e-17

const NODES_PER_UNIT = 64
const FIRST_NODE = 45

// ln(j/64) for j = 45 … 91, each as hi, lo.
const NODE_LOGARITHMS = new Float64Array([
  -0.3522205935893521, -5.7233316949182485e-18, -0.33024168687057687, 1.0828321637483858e-17,
  -0.3087354816496133, 1.6199186085148102e-17, -0.2876820724517809, -2.607160616442564e-17,
  -0.26706278524904525, 7.32891532732017e-18, -0.24686007793152578, -1.361743371748368e-17,
  -0.22705745063534608, -9.551415762738488e-18, -0.2076393647782445, -1.2053243216686129e-17,
  -0.18859116980755003, 7.432164219196925e-18, -0.16989903679539747, 4.868008764439071e-19,
  -0.15154989812720093, -5.1669593684615594e-18, -0.13353139262452263, 3.664457663660085e-18,
  -0.1158318155251217, -4.338484369808096e-18, -0.09844007281325252, 4.439009633675136e-18,
  -0.0813456394539524, -5.07707635593117e-18, -0.06453852113757118, 6.470486661692933e-18,
  -0.048009219186360606, -1.4390903347292205e-18, -0.0317486983145803, -3.0382263084680858e-18,
  -0.015748356968139168, -1.0021578630528974e-18, 0, 0, 0.015504186535965254, -3.278321022892429e-19,
  0.030771658666753687, 1.0431732029005968e-18, 0.0458095360312942, 1.902959866474257e-18,
  0.06062462181643484, 2.6424025938726934e-18, 0.07522342123758753, -5.930604196293241e-18,
  0.08961215868968714, -5.4268129336647135e-18, 0.10379679368164356, 5.47772415726659e-18,
  0.11778303565638346, -1.1971685747593677e-18, 0.13157635778871926, 1.1123000879729588e-17,
  0.1451820098444979, 8.242418783022475e-18, 0.15860503017663857, 1.1257003872182592e-17, 0.17185025692665923,
  -6.0224538210113705e-18, 0.184922338494012, 3.0236614153574064e-18, 0.19782574332991987,
  1.2821194372980142e-17, 0.21056476910734964, -4.249405314729895e-18, 0.22314355131420976,
  -9.091270597324799e-18, 0.2355660713127669, -2.3943371495187355e-18, 0.24783616390458127,
  -1.2432209578702523e-17, 0.25995752443692605, 2.069806938978935e-17, 0.27193371548364176,
  7.83319637697442e-19, 0.2837681731306446, -2.032665581126656e-17, 0.2954642128938359, -2.16461086040599e-17,
  0.3070250352949119, -1.2319916200101964e-17, 0.3184537311185346, 2.7114779367326236e-17, 0.329753286372468,
  2.122020616196946e-18, 0.3409265869705932, 1.7467136443544747e-17, 0.3519764231571782,
  -1.2953893030191963e-17,
])

/** ln x within 0.501 ulp; −∞ at 0 and NaN below. */
export function log(x: number): number {
  if (x === 0) return -Infinity
  if (!(x > 0)) return NaN
  if (x === Infinity) return x
  const logarithm = logPrecise(x, 0)
  return logarithm.hi + logarithm.lo
}

/** ln(1 + x) within 0.501 ulp, without the rounding of 1 + x. */
export function log1p(x: number): number {
  if (x === -1) return -Infinity
  if (!(x > -1)) return NaN
  if (x === Infinity || Math.abs(x) < NEGLIGIBLE) return x
  const sum = 1 + x
  const logarithm = logPrecise(sum, sumError(1, x, sum))
  return logarithm.hi + logarithm.lo
}

/** ln(hi + lo) with a relative error below 2^−80, for a positive finite normalised pair. */
export function logPrecise(hi: number, lo: number): DoubleDouble {
  let exponent = exponentOf(hi)
  let m = scaleByPowerOfTwo(hi, -exponent)
  if (m > Math.SQRT2) {
    m /= 2
    exponent += 1
  }
  const mLo = scaleByPowerOfTwo(lo, -exponent)

  // ln m = ln node + 2·artanh(ratio), with ratio = (m − node) / (m + node) below 2^−7.
  const index = Math.floor(m * NODES_PER_UNIT + 0.5)
  const node = index / NODES_PER_UNIT
  const offset = m - node
  const numerator = offset + mLo
  const numeratorLo = sumError(offset, mLo, numerator)
  const denominator = m + node
  const denominatorLo = sumError(m, node, denominator) + mLo
  const ratio = numerator / denominator
  const back = ratio * denominator
  const remainder =
    numerator - back - productError(ratio, denominator, back) + numeratorLo - ratio * denominatorLo
  const ratioLo = remainder / denominator

  const square = ratio * ratio
  const squareLo = productError(ratio, ratio, square) + 2 * ratio * ratioLo
  const cube = square * ratio
  const cubeLo = productError(square, ratio, cube) + squareLo * ratio + square * ratioLo
  const third = cube * TWO_THIRDS_HI
  const thirdLo = productError(cube, TWO_THIRDS_HI, third) + cubeLo * TWO_THIRDS_HI + cube * TWO_THIRDS_LO
  const higher = cube * square * (2 / 5 + square * (2 / 7 + square * (2 / 9 + (square * 2) / 11)))

  const power = exponent * LN2_HI
  const nodeHi = NODE_LOGARITHMS[2 * (index - FIRST_NODE)]!
  const nodeLo = NODE_LOGARITHMS[2 * (index - FIRST_NODE) + 1]!
  const base = power + nodeHi
  const linear = base + 2 * ratio
  const sum = linear + third
  const sumLo =
    sumError(linear, third, sum) +
    sumError(base, 2 * ratio, linear) +
    sumError(power, nodeHi, base) +
    (exponent * LN2_LO + nodeLo + (2 * ratioLo + (thirdLo + higher)))
  const result = sum + sumLo
  return { hi: result, lo: sumError(sum, sumLo, result) }
}
