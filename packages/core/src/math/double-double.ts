/** A number held as the unevaluated sum of two doubles, `lo` far below `hi`: about 106 significant bits. */
export interface DoubleDouble {
  readonly hi: number
  readonly lo: number
}

/** A double-double times 2^exponent, for values that a double could not hold without loss. */
export interface ScaledDoubleDouble extends DoubleDouble {
  readonly exponent: number
}

/** The exact rounding error of `sum = a + b`. */
export function sumError(a: number, b: number, sum: number): number {
  const bPart = sum - a
  return a - (sum - bPart) + (b - bPart)
}

// 2^27 + 1 cuts a 53-bit significand into two halves whose products are exact.
const SPLITTER = 134217729

/** The exact rounding error of `product = a · b`, unless it underflows or a factor exceeds 2^996. */
export function productError(a: number, b: number, product: number): number {
  const aScaled = SPLITTER * a
  const aHi = aScaled - (aScaled - a)
  const aLo = a - aHi
  const bScaled = SPLITTER * b
  const bHi = bScaled - (bScaled - b)
  const bLo = b - bHi
  return aLo * bLo - (product - aHi * bHi - aLo * bHi - aHi * bLo)
}
