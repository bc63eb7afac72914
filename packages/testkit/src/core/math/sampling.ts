import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Real, ulpsBetween } from './big-reference.ts'

type Draw = (random: () => number) => number

/** A stream of multiples of 2^−53 in [0, 1), the same for the same seed. */
function stream(seed: number): () => number {
  let state = BigInt(seed)
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn
    return Number((state ^ (state >> 31n)) & 0x1fffffffffffffn) / 2 ** 53
  }
}

export function sample(count: number, seed: number, draw: Draw): number[] {
  const random = stream(seed)
  return Array.from({ length: count }, () => draw(random))
}

/** Spread evenly over the magnitudes between two positive numbers. */
export const magnitudes =
  (from: number, to: number): Draw =>
  random =>
    2 ** (Math.log2(from) + (Math.log2(to) - Math.log2(from)) * random())

/** Either sign, equally often. */
export const signed =
  (draw: Draw): Draw =>
  random =>
    random() < 0.5 ? -draw(random) : draw(random)

/** Fails if a result is further than `limit` ulps from the truth; reports the worst one. */
export function assertWithinUlps<Point>(
  t: TestContext,
  limit: number,
  points: readonly Point[],
  actual: (point: Point) => number,
  expected: (point: Point) => Real,
): void {
  let worst = 0
  let at: Point | undefined
  let misrounded = 0
  for (const point of points) {
    const ulps = ulpsBetween(actual(point), expected(point))
    if (ulps > 0.5) misrounded++
    if (ulps > worst) {
      worst = ulps
      at = point
    }
  }
  t.diagnostic(
    `worst ${worst.toFixed(6)} ulp at ${at}; ${misrounded} of ${points.length} not the nearest double`,
  )
  assert.ok(worst <= limit, `${worst} ulp at ${at}`)
}

/** Fails if a greater argument, or the next double, gives a smaller result. */
export function assertIncreasing(points: readonly number[], f: (x: number) => number): void {
  const sorted = points.flatMap(x => [x, nextUp(x)]).sort((a, b) => a - b)
  for (let i = 1; i < sorted.length; i++) {
    const [below, above] = [sorted[i - 1]!, sorted[i]!]
    assert.ok(f(below) <= f(above), `f(${below}) > f(${above})`)
  }
}

function nextUp(x: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  view.setBigInt64(0, view.getBigInt64(0) + (x < 0 ? -1n : 1n))
  return view.getFloat64(0)
}
