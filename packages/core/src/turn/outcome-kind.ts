import type { Outcome } from './outcome.ts'

/** An outcome as people see it: an execution is told apart by how it ended. */
export type OutcomeKind =
  | 'succeeded'
  | 'failed'
  | 'timed_out'
  | 'replaced'
  | 'unknown'
  | 'running'
  | 'skipped'
  | 'missed'
  | 'unschedulable'

/** How much attention an outcome asks for. */
export type Tone = 'good' | 'bad' | 'warning' | 'neutral' | 'active'

export interface OutcomeStyle {
  /** The one word for it in every text that people read. */
  readonly word: string
  /** Tells the outcomes apart without colour. */
  readonly icon: string
  readonly colour: 'green' | 'red' | 'orange' | 'grey' | 'violet' | 'blue' | 'teal' | 'yellow' | 'brown'
  readonly tone: Tone
  /** Whether it counts as a failure in metrics, alerts and notifications. */
  readonly isFailure: boolean
}

/** One word, one icon and one colour per outcome, for command line, console, log and documentation. */
export const OUTCOME_STYLES: Readonly<Record<OutcomeKind, OutcomeStyle>> = {
  succeeded: { word: 'succeeded', icon: '✓', colour: 'green', tone: 'good', isFailure: false },
  failed: { word: 'failed', icon: '✕', colour: 'red', tone: 'bad', isFailure: true },
  timed_out: { word: 'timed out', icon: '◷', colour: 'orange', tone: 'bad', isFailure: true },
  replaced: { word: 'replaced', icon: '⇄', colour: 'grey', tone: 'neutral', isFailure: false },
  unknown: { word: 'unknown', icon: '?', colour: 'violet', tone: 'warning', isFailure: false },
  running: { word: 'running', icon: '▶', colour: 'blue', tone: 'active', isFailure: false },
  skipped: { word: 'skipped', icon: '⤼', colour: 'teal', tone: 'neutral', isFailure: false },
  missed: { word: 'missed', icon: '○', colour: 'yellow', tone: 'warning', isFailure: false },
  unschedulable: { word: 'unschedulable', icon: '⊘', colour: 'brown', tone: 'warning', isFailure: false },
}

/** All kinds, in the order in which lists and legends show them. */
export const OUTCOME_KINDS = Object.keys(OUTCOME_STYLES) as readonly OutcomeKind[]

/** The kinds of a period or manual run that is over. */
export const FINAL_KINDS: readonly OutcomeKind[] = OUTCOME_KINDS.filter(kind => kind !== 'running')

/** The facts of a record that decide its kind. */
export interface OutcomeFacts {
  readonly outcome: Outcome
  /** Why krond ended the run or did not start it; empty if neither applies. */
  readonly reason: string
  /** Null if a signal ended the run, or nobody saw its end. */
  readonly exitCode: number | null
  readonly signal: string | null
}

/** Total: a run whose end nobody saw is `unknown`, never `succeeded`. */
export function outcomeKindOf({ outcome, reason, exitCode, signal }: OutcomeFacts): OutcomeKind {
  if (outcome !== 'executed') return outcome
  if (reason === 'replaced') return 'replaced'
  if (reason === 'timeout') return 'timed_out'
  if (signal !== null) return 'failed'
  if (exitCode === null || reason === 'unknown') return 'unknown'
  return exitCode === 0 ? 'succeeded' : 'failed'
}

const ENDED_BY: Readonly<Record<string, string>> = {
  timeout: 'krond ended it: it ran longer than its timeout',
  replaced: 'krond ended it: a later period replaced it',
  shutdown: 'krond ended it: krond was told to stop',
  requested: 'it was ended on request',
  unrecorded: 'krond ended it: its start could not be recorded',
  unknown: 'nobody saw its end; it is never run again',
}

const NOT_EXECUTED: Readonly<Record<string, string>> = {
  'skipped concurrency': 'an earlier execution was still running',
  'missed deadline': 'krond could not start it before its deadline',
  // Recorded nowhere: the API gives it in place of the message of a failed start.
  'missed not_started': 'it could not be started before its deadline',
  'missed superseded': 'a later period of the same job ran instead',
  'missed replace': 'the execution that it replaces did not end in time',
  'missed queue': 'it waited until its deadline had passed: too many runs, or no room on the disk',
  'missed state_corrupt':
    'its state file was damaged: krond cannot know whether it ran, so it does not run it',
  'unschedulable constraints': 'no second of its window satisfies the constraints',
}

/** Every reason that krond's API gives as a code. Any other reason is a text: in krond, the message of a failed start. */
export const REASON_CODES: readonly string[] = [
  ...Object.keys(ENDED_BY),
  ...Object.keys(NOT_EXECUTED).map(key => key.slice(key.indexOf(' ') + 1)),
]

/** The reason of an outcome in words for a person on call: who ended a run and why, or why a period did not run. */
export function outcomeText({ outcome, reason, exitCode, signal }: OutcomeFacts): string {
  if (outcome !== 'executed')
    return NOT_EXECUTED[`${outcome} ${reason}`] ?? (reason === '' ? outcome : reason)
  const status =
    signal !== null
      ? `ended by ${signal}`
      : exitCode === null
        ? 'exit status unknown'
        : `exit code ${exitCode}`
  const why = ENDED_BY[reason] ?? reason
  return why === '' ? status : `${status}: ${why}`
}
