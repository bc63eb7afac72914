import type { Schedule } from '../schedule/schedule.ts'
import type { Curve } from './curve.ts'
import type { Weights } from './weights.ts'

/** The weights of a schedule; undefined if it has another distribution. */
export const weightsOf = ({ distribution }: Schedule): Weights | undefined =>
  distribution.name === 'weights' ? distribution : undefined

/** The schedule with the curve of its weights file; itself if it has no weights. A missing file is no fault. */
export function withCurve(schedule: Schedule, find: (file: string) => Curve): Schedule {
  const weights = weightsOf(schedule)
  if (weights === undefined) return schedule
  const { name, file } = weights
  return { ...schedule, distribution: { name, file, curve: find(file) } }
}

/** Whether two schedules have the same curve: equal files, or none for the same reason. */
export function sameCurve(one: Schedule, other: Schedule): boolean {
  const [first, second] = [weightsOf(one), weightsOf(other)]
  return first?.file === second?.file && versionOf(first?.curve) === versionOf(second?.curve)
}

/** A text that differs between curves: the digest of the file, or the reason why there is none. */
export const versionOf = (curve: Curve | undefined): string =>
  curve === undefined ? '' : typeof curve.steps === 'string' ? curve.steps + curve.digest : curve.digest
