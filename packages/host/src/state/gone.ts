import { statSync } from 'node:fs'
import { parseInstant, printInstant } from '@kron/core'
import { nameOf } from '../job-file/entry.ts'
import { parseJobFile } from '../job-file/parse.ts'
import { readJobFile } from '../job-file/read.ts'
import { activeManualOf, activeOf, type State } from './state.ts'

/** States of earlier versions do not say how long they are needed: they are kept for this long after their last trace. */
const UNKNOWN_WINDOW_SECONDS = 31 * 86_400

/** Why the state of a removed job is not removed yet. */
export type KeptState =
  | { readonly why: 'running' }
  /** The window or the deadline of a handled period is not over: the job, defined again, could run the period again. */
  | { readonly why: 'open'; readonly until: string }

/** Why the state must be kept although its job is gone; undefined if it can be removed. */
export function keptBecause(state: State, now: number): KeptState | undefined {
  if (activeOf(state).length + activeManualOf(state).length > 0) return { why: 'running' }
  const until = keepUntilOf(state)
  return until === undefined || until < now ? undefined : { why: 'open', until: printInstant(until) }
}

/** Undefined if the job has never handled a period. */
function keepUntilOf(state: State): number | undefined {
  if (state.KeepUntil !== undefined) return secondsOf(state.KeepUntil)
  const last = state.History.at(-1)
  const traces = [state.LastHandledPeriodID, state.LastChosenTime, state.LastRunTime, last?.CompletedAt ?? '']
  const known = [...traces, ...state.HandledPeriods].filter(each => each !== '')
  if (known.length === 0) return undefined
  return Math.max(...known.map(secondsOf)) + UNKNOWN_WINDOW_SECONDS
}

function secondsOf(time: string): number {
  const instant = parseInstant(time)
  return instant.ok ? instant.value : Number.MAX_SAFE_INTEGER
}

/**
 * Tells whether a job is defined nowhere any more: its file does not exist, or is a sound job file without it. A job
 * whose file cannot be read is not gone, nor one of a crontab that exists. Each file is read once.
 */
export function goneJobs(): (identity: string) => boolean {
  const files = new Map<string, ReadonlySet<string> | 'absent' | 'unknown'>()
  return identity => {
    const path = identity.slice(0, identity.lastIndexOf(':'))
    const known = files.get(path) ?? jobsIn(path)
    files.set(path, known)
    return known === 'absent' || (known !== 'unknown' && !known.has(nameOf(identity)))
  }
}

function jobsIn(path: string): ReadonlySet<string> | 'absent' | 'unknown' {
  try {
    statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unknown'
  }
  if (!path.endsWith('.kron')) return 'unknown'
  const read = readJobFile(path)
  if (!read.ok) return 'unknown'
  const { entries, faults } = parseJobFile(read.text, path)
  return faults.length > 0 ? 'unknown' : new Set(entries.map(entry => entry.name))
}
