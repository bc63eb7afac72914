import { printInstant } from '@kron/core'
import type { Subject } from '../subject.ts'

/** What the daemon says of itself. */
export function status({ jobs, running, loop, ...about }: Subject) {
  return {
    version: about.version,
    instance: about.instance,
    pid: process.pid,
    startedAt: printInstant(Math.floor(about.startedAt / 1_000)),
    now: printInstant(about.now()),
    timeZoneData: process.versions['tz'] ?? 'unknown',
    jobs: jobs.size,
    running: running.count,
    waiting: loop.waiting.length,
    refusedFiles: about.refusedFiles(),
    startsStopped: about.startsStopped() !== null,
    configuration: about.ledger.configuration,
  }
}
