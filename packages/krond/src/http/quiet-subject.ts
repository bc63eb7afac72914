import { randomBytes } from 'node:crypto'
import type { Hash } from '@kron/core'
import { Forecasts } from './answers/forecast.ts'
import { JobIndex } from './job-index.ts'
import { Ledger } from './ledger.ts'
import type { Running, Subject } from './subject.ts'

export interface QuietParts {
  readonly version: string
  readonly hash: Hash
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly now: () => number
}

/** The daemon as the control socket shows it without --listen: one job at a time, since no summary of all is kept. */
export function quietSubject(running: Running, { version, hash, startedAt, now }: QuietParts): Subject {
  return {
    ...running,
    ledger: new Ledger(now),
    index: new JobIndex(running.jobs),
    forecasts: new Forecasts(),
    hash,
    version,
    startedAt,
    instance: randomBytes(6).toString('hex'),
    now: () => Math.floor(now() / 1_000),
    isForgetful: true,
  }
}
