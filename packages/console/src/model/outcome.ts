import type { OutcomeRecord } from '../api/records.ts'

/** How a period is shown: what was executed is split by how it ended. */
export type Appearance =
  | 'succeeded'
  | 'failed'
  | 'unknown'
  | 'skipped'
  | 'missed'
  | 'unschedulable'
  | 'running'

export function appearanceOf({ outcome, exitCode, signal }: OutcomeRecord): Appearance {
  if (outcome !== 'executed') return outcome
  if (signal !== null) return 'failed'
  if (exitCode === null) return 'unknown'
  return exitCode === 0 ? 'succeeded' : 'failed'
}

/** A mark that tells outcomes apart without colour. */
export const GLYPHS: Readonly<Record<Appearance, string>> = {
  succeeded: '✓',
  failed: '✕',
  unknown: '?',
  skipped: '⤼',
  missed: '○',
  unschedulable: '⊘',
  running: '▶',
}

export const LABELS: Readonly<Record<Appearance, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'ended unseen',
  skipped: 'skipped',
  missed: 'missed',
  unschedulable: 'unschedulable',
  running: 'running',
}

/** Why, in words a person on call understands. */
export function reasonText(record: OutcomeRecord): string {
  const { outcome, reason, exitCode, signal } = record
  if (outcome === 'executed') {
    const how =
      signal !== null
        ? `killed by ${signal}`
        : exitCode === null
          ? 'exit status unknown'
          : `exit code ${exitCode}`
    const why = EXECUTED[reason] ?? reason
    return why === '' ? how : `${how}: ${why}`
  }
  return NOT_EXECUTED[`${outcome} ${reason}`] ?? (reason === '' ? outcome : reason)
}

const EXECUTED: Readonly<Record<string, string>> = {
  timeout: 'it ran longer than its timeout',
  replaced: 'a later period replaced it',
  shutdown: 'krond was told to end running jobs',
  unknown: 'nobody saw its end; it is never run again',
}

const NOT_EXECUTED: Readonly<Record<string, string>> = {
  'skipped concurrency': 'an earlier execution was still running',
  'missed deadline': 'krond could not start it before its deadline',
  'missed not_started': 'it could not be started until its deadline; krontab history tells why',
  'missed superseded': 'a later period of the same job ran instead',
  'missed queue': 'it waited for a free place until its deadline had passed',
  'missed state_corrupt': 'its state file was damaged, so nothing may run twice',
  'unschedulable constraints': 'no second of its window satisfies the constraints',
}
