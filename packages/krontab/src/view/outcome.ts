import { type Style, styleOf, type Terminal } from '@kron/cli'
import {
  OUTCOME_STYLES,
  type Outcome,
  type OutcomeFacts,
  type OutcomeKind,
  outcomeKindOf,
  outcomeText,
  type Tone,
} from '@kron/core'
import { outcomesOf, type State } from '@kron/host'
import type { OutcomeRecord } from '@kron/host/api'

const PAINTS: Readonly<Record<Tone, keyof Style>> = {
  good: 'good',
  bad: 'bad',
  warning: 'warn',
  neutral: 'faint',
  active: 'accent',
}

/** The usual icon and word of a kind: `✕ failed`. */
function painted(kind: OutcomeKind, detail: string, terminal: Terminal): string {
  const { icon, word, tone } = OUTCOME_STYLES[kind]
  const paint = styleOf(terminal)[PAINTS[tone]]
  return paint(`${terminal.unicode ? `${icon} ` : ''}${word}${detail === '' ? '' : `: ${detail}`}`)
}

/** The result of a run: `✕ failed: exit code 3`. A success needs no details. */
export const recordText = (
  record: OutcomeFacts & { readonly kind: OutcomeKind },
  terminal: Terminal,
): string => painted(record.kind, record.kind === 'succeeded' ? '' : outcomeText(record), terminal)

/** For lists, where a long reason would take the space of other columns. */
export function lastOutcomeText(state: State, running: number, terminal: Terminal): string {
  if (running > 0) return styleOf(terminal).accent(running === 1 ? 'running' : `${running} running`)
  if (state.LastOutcome === '' && outcomesOf(state).length === 0)
    return styleOf(terminal).faint('nothing yet')
  const facts = outcomesOf(state).at(-1) ?? lastFacts(state)
  const kind = outcomeKindOf(facts)
  return facts.outcome === 'executed' ? recordText({ ...facts, kind }, terminal) : painted(kind, '', terminal)
}

const lastFacts = (state: State): OutcomeFacts => ({
  outcome: state.LastOutcome as Outcome,
  reason: state.LastReason,
  exitCode: state.LastExitCode,
  signal: null,
})

/** The period, or the user who asked for a manual run. */
export const runName = ({ periodId, by }: OutcomeRecord): string => periodId ?? `manual, by ${by}`
