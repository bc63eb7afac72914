import { randomBytes } from 'node:crypto'
import { VERSION } from '../version.ts'
import { Forecasts } from './answers/forecast.ts'
import { JobIndex } from './job-index.ts'
import { Ledger } from './ledger.ts'
import type { Running, Subject } from './subject.ts'

export interface SubjectParts {
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly now: () => number
  /** Absent without --listen: then no summary of all jobs is kept, and the control socket shows one job at a time. */
  readonly ledger?: Ledger
  readonly instance?: string
}

/** The running daemon as answers see it. */
export function makeSubject(running: Running, parts: SubjectParts): Subject {
  const { startedAt, now, ledger, instance = randomBytes(6).toString('hex') } = parts
  return {
    ...running,
    ledger: ledger ?? new Ledger(now),
    index: new JobIndex(running.jobs),
    forecasts: new Forecasts(),
    version: VERSION,
    startedAt,
    instance,
    now: () => Math.floor(now() / 1_000),
    isForgetful: ledger === undefined,
  }
}
