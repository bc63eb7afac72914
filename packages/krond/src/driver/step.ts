import { type Decision, type TurnResult, triggerOf } from '@kron/core'
import { attentionAt, isNear } from './lead.ts'
import type { Look } from './look.ts'
import { timeOf } from './moment.ts'

/** The step that an answer of `turn` asks for. */
export type Step =
  /** The second is yet to come, and the answer is not one plain start: the job is judged at the second itself. */
  | { readonly kind: 'tooEarly' }
  /** A period starts, replaces the active runs, or waits for a place. Then `turn` is asked again. */
  | { readonly kind: 'start' | 'replace' | 'queue'; readonly decision: Decision }
  /** Nothing is left to do, and the next second of the job is near: it is judged now. */
  | { readonly kind: 'judgeNext'; readonly second: number; readonly isAhead: boolean }
  /** Nothing is left to do until then. Undefined: until something happens to the job. */
  | { readonly kind: 'rest'; readonly until: number | undefined }

/** The step of a look in which so many runs have begun. */
export function stepOf(
  answer: TurnResult,
  look: Pick<Look, 'time' | 'now' | 'isAhead'>,
  starts: number,
): Step {
  const { start, replace, queue, wakeAt } = answer
  if (look.isAhead && !mayHappenAhead(answer, look.time, starts)) return { kind: 'tooEarly' }
  if (start !== undefined) return { kind: 'start', decision: start }
  if (replace !== undefined) return { kind: 'replace', decision: replace }
  if (queue !== undefined) return { kind: 'queue', decision: queue }
  if (wakeAt === undefined) return { kind: 'rest', until: undefined }
  if (isNear(wakeAt, look.time))
    return { kind: 'judgeNext', second: wakeAt, isAhead: wakeAt > timeOf(look.now) }
  return { kind: 'rest', until: attentionAt(wakeAt, look.time) }
}

/**
 * Before a second has come, krond only prepares one plain start of a job in it. A skip, a replacement, a place in the
 * queue and a second start are judged at the second itself, because they depend on events that may still come before it.
 */
function mayHappenAhead(
  { outcomes, start, replace, queue }: TurnResult,
  second: number,
  starts: number,
): boolean {
  if (outcomes.length > 0) return false
  if (starts === 0) return start !== undefined && triggerOf(start) === second
  return (start ?? replace ?? queue) === undefined
}
