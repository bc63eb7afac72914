import type { Clock } from '@kron/runtime'
import type { Recorder } from '../cluster/recorder.ts'
import type { Log } from '../report/log.ts'
import type { Metrics } from '../report/metrics.ts'
import type { Agenda } from './agenda/agenda.ts'
import type { Memory } from './memory/memory.ts'
import type { FilesWatch } from './observe/files-watch.ts'
import type { JobCache } from './observe/job-cache.ts'
import type { KronJobCache } from './observe/kronjob-cache.ts'
import type { Writer } from './write/writer.ts'

/** Everything that the controller gets from outside. */
export interface Ports {
  readonly kronJobs: KronJobCache
  readonly jobs: JobCache
  /** The calendars and weights of a namespace. */
  readonly files?: Pick<FilesWatch, 'of'>
  readonly writer: Writer
  readonly recorder: Recorder
  readonly metrics: Metrics
  readonly log: Log
  readonly clock: Clock
  /** The chance in the pauses between tries. */
  readonly random?: () => number
  /** The salt of KronJobs that have no salt of their own. */
  readonly salt?: string | undefined
}

/** The ports, and the two owners of the controller's state. */
export interface Context extends Ports {
  readonly memory: Memory
  readonly agenda: Agenda
}

/** The present in whole epoch seconds. */
export const secondsOf = (clock: Clock): number => Math.floor(clock.now() / 1000)
