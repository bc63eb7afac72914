import { readFileSync } from 'node:fs'
import { plural } from '@kron/cli'
import { type Decision, printInstant } from '@kron/core'
import { concerns, nameOf, PAUSES_FILE, type Pause, parsePauses, stateDirectory } from '@kron/host'
import type { Host } from './host.ts'

/** The pauses in force or planned; none if the state directory is not readable or has none. */
export function readPauses(host: Host): readonly Pause[] {
  try {
    const pauses = parsePauses(readFileSync(`${stateDirectory(host)}/${PAUSES_FILE}`, 'utf8'))
    return pauses.filter(({ until }) => until === null || until > host.now())
  } catch {
    return []
  }
}

/** A line for each pause during which some of these periods fall. */
export function freezeLines(host: Host, decisions: readonly Decision[]): string[] {
  return readPauses(host).flatMap(pause => {
    const end = pause.until ?? Number.POSITIVE_INFINITY
    const lost = decisions.filter(
      ({ chosen, job }) =>
        chosen !== null && chosen >= pause.from && chosen < end && concerns(pause, job.identity),
    )
    if (lost.length === 0) return []
    const whom = pause.identity === null ? 'all jobs' : nameOf(pause.identity)
    const until = pause.until === null ? 'krontab resume' : printInstant(pause.until)
    const why = pause.reason === '' ? '' : ` (${pause.reason})`
    return [
      `paused: ${whom} from ${printInstant(pause.from)} until ${until}${why}; ${plural(lost.length, 'period')} of these will not run`,
    ]
  })
}
