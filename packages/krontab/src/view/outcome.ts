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

type Result = OutcomeFacts & { readonly kind: OutcomeKind }

/** The reason of a result, as in `exit code 3`. A success needs none. */
export const reasonText = (result: Result): string => (result.kind === 'succeeded' ? '' : outcomeText(result))

/** The result of a run: `✕ failed: exit code 3`; `isBrief`: without the reason. */
export const recordText = (result: Result, terminal: Terminal, isBrief = false): string =>
  painted(result.kind, isBrief ? '' : reasonText(result), terminal)

/** For lists, where a long reason would take the space of other columns; `isBrief`: without any reason. */
export function lastOutcomeText(state: State, running: number, terminal: Terminal, isBrief = false): string {
  if (running > 0) return styleOf(terminal).accent(running === 1 ? 'running' : `${running} running`)
  if (state.LastOutcome === '' && outcomesOf(state).length === 0)
    return styleOf(terminal).faint('nothing yet')
  const facts = outcomesOf(state).at(-1) ?? lastFacts(state)
  const kind = outcomeKindOf(facts)
  return facts.outcome === 'executed' && !isBrief
    ? recordText({ ...facts, kind }, terminal)
    : painted(kind, '', terminal)
}

const lastFacts = (state: State): OutcomeFacts => ({
  outcome: state.LastOutcome as Outcome,
  reason: state.LastReason,
  exitCode: state.LastExitCode,
  signal: null,
})

/** The period, or the user who asked for a manual run. */
export const runName = ({ periodId, by }: OutcomeRecord): string => periodId ?? `manual, by ${by}`
