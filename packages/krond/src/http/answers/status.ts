import { hostname } from 'node:os'
import { printInstant } from '@kron/core'
import { hostZones } from '@kron/host'
import type { StatusRecord } from '@kron/host/api'
import type { Viewer } from '../../api/viewer.ts'
import type { Subject } from '../subject.ts'

/** The status that the daemon reports. */
export function status({ jobs, driver, ...about }: Subject, viewer: Viewer): StatusRecord {
  const startedAt = printInstant(Math.floor(about.startedAt / 1_000))
  return {
    version: about.version,
    instance: about.instance,
    host: hostname(),
    pid: process.pid,
    startedAt,
    firstSeen: about.ledger.firstSeen || startedAt,
    now: printInstant(about.now()),
    timeZoneData: hostZones().source(),
    jobs: jobs.size,
    running: driver.runningCount,
    waiting: driver.waiting.length,
    // A user of the control socket may not see other users' files.
    refusedFiles: viewer.kind === 'user' ? [] : about.refusedFiles(),
    startsStopped: about.startsStopped() !== null,
    refusedReload: about.refusedReload(),
    configuration: about.ledger.configuration,
  }
}
