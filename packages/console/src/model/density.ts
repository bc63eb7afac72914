import { endOffset, frameOf, type Schedule, shapeOf, startOffset } from '@kron/core'

/**
 * How likely each of `steps` equal parts of the window of a nominal time is, the likeliest being 1. Every window of a job has
 * the same, unless it follows weights.
 */
export function densityOf(schedule: Schedule, steps: number, nominal = 0): readonly number[] {
  const start = startOffset(schedule.window)
  const seconds = endOffset(schedule.window) - start
  if (seconds === 0) return [1]
  const shape = shapeOf(schedule.distribution, frameOf(schedule, nominal, nominal + start, seconds))
  const shares = Array.from({ length: steps }, (_, i) => shape.cdf((i + 1) / steps) - shape.cdf(i / steps))
  const most = Math.max(...shares)
  return shares.map(share => share / most)
}
