import { type Decision, type TurnResult, triggerOf } from '@kron/core'
import * as events from '../log/event.ts'
import type { Attempt } from './attempt.ts'
import { judgedSecond, type Look } from './look.ts'
import { outcomesOf, type PeriodOutcome } from './record.ts'
import { type DriverState, drop, emit, record } from './state.ts'

/** The words of the debug log. */
const VERDICTS = {
  start: 'execute',
  queue: 'execute',
  replace: 'replace',
  missed: 'miss',
  skipped: 'skip',
  unschedulable: 'unschedulable',
} as const

/** The attempt at a period that may start. A new one is reported, and waits until the caller moves it. */
export function attemptAt(
  state: DriverState,
  look: Look,
  decision: Decision,
  kind: 'start' | 'replace' | 'queue',
): Attempt {
  const { slot, entry } = look
  const { nominal } = decision
  const open = state.attempts.open(slot, nominal)
  if (open === undefined) reportDecision(state, decision)
  reportVerdict(state, look, decision, kind)
  return open ?? state.attempts.add(slot, entry, { kind: 'period', nominal, decision }, { phase: 'queued' })
}

/**
 * Records periods that ended without a run: one record for each period that has an attempt, and one for all the others
 * together. Each record marks only its own periods as handled. The last one also raises the watermark, so a crash between
 * two records hides no period that has no record yet.
 */
export function close(state: DriverState, look: Look, { outcomes, handled, unseen }: TurnResult): void {
  const { slot, entry } = look
  const attempted: PeriodOutcome[][] = []
  const others: PeriodOutcome[] = []
  const inOrder = outcomes.toSorted((a, b) => a.decision.nominal - b.decision.nominal)
  for (const { decision, outcome, reason } of inOrder) {
    const open = state.attempts.open(slot, decision.nominal)
    if (open === undefined) reportDecision(state, decision)
    else drop(state, open)
    reportVerdict(state, look, decision, outcome)
    const refusal = outcome === 'missed' ? open?.refusal : undefined
    const period = { decision, outcome, reason: refusal ?? reason }
    if (open === undefined) others.push(period)
    else attempted.push([period])
  }
  const before = state.jobs.handled(slot)
  state.jobs.setHandled(slot, handled)
  const groups = others.length === 0 ? attempted : [...attempted, others]
  const last = groups.at(-1)?.at(-1)
  if (last !== undefined && unseen !== undefined) groups.at(-1)!.splice(-1, 1, { ...last, unseen })
  for (const periods of groups) {
    const event = outcomesOf(periods, judgedSecond(look), periods === groups.at(-1) ? handled : before)
    record(state, slot, entry.identity, event, { step: 'notExecuted', periods })
  }
}

export function reportDecision(state: DriverState, decision: Decision): void {
  emit(state, events.decisionMade(decision))
  if (state.settings.debug) for (const step of events.decisionSteps(decision)) emit(state, step)
}

function reportVerdict(
  state: DriverState,
  look: Look,
  decision: Decision,
  verdict: keyof typeof VERDICTS,
): void {
  if (!state.settings.debug) return
  emit(state, events.triggered(decision, VERDICTS[verdict], judgedSecond(look) - triggerOf(decision)))
}
