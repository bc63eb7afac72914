import { readFileSync } from 'node:fs'
import { plural, visible } from '@kron/cli'
import { type Decision, PausedJob, printInstant } from '@kron/core'
import { concerns, nameOf, PAUSES_FILE, type Pause, parsePauses } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { daemonStateDirectory } from '../daemon/places.ts'

/** The pauses in force or planned; none if the state directory is not readable or has none. */
export function readPauses(context: CommandContext): readonly Pause[] {
  try {
    const pauses = parsePauses(readFileSync(`${daemonStateDirectory(context)}/${PAUSES_FILE}`, 'utf8'))
    return pauses.filter(({ until }) => until === null || until > context.now())
  } catch {
    return []
  }
}

/** The pauses of one job. */
export const pausesOf = (pauses: readonly Pause[], identity: string): readonly Pause[] =>
  pauses.filter(each => concerns(each, identity))

/** A period that falls into a pause: `start` is the end of the pause, or undefined if the period will not run. */
export interface PausedPeriod {
  readonly decision: Decision
  readonly start: number | undefined
}

/** The periods among these that do not start at their chosen time, because of a pause. */
export function pausedPeriods(pauses: readonly Pause[], decisions: readonly Decision[]): PausedPeriod[] {
  if (pauses.length === 0) return []
  const jobs = new Map<string, PausedJob>()
  return decisions.flatMap(decision => {
    const { chosen, job } = decision
    if (chosen === null) return []
    const paused = jobs.get(job.identity) ?? new PausedJob(job, pausesOf(pauses, job.identity))
    jobs.set(job.identity, paused)
    const start = paused.startOf(chosen)
    return start === chosen ? [] : [{ decision, start }]
  })
}

/** A line for each pause during which some of these periods fall, with the number of periods it costs. */
export function freezeLines(pauses: readonly Pause[], periods: readonly PausedPeriod[]): string[] {
  return pauses.flatMap(pause => {
    const end = pause.until ?? Number.POSITIVE_INFINITY
    const concerned = periods.filter(({ decision: { chosen, job } }) => {
      return chosen !== null && chosen >= pause.from && chosen < end && concerns(pause, job.identity)
    })
    if (concerned.length === 0) return []
    const lost = concerned.filter(each => each.start === undefined).length
    const late = concerned.length - lost
    return [
      `${pauseText(pause)}; ${plural(lost, 'period')} of these will not run${late === 0 ? '' : `, ${late} will start late, when it ends`}`,
    ]
  })
}

/** The pause for a person: which jobs, from when, until when, why. */
export function pauseText(pause: Pause): string {
  const whom = pause.identity === null ? 'all jobs' : nameOf(pause.identity)
  const until = pause.until === null ? 'krontab resume' : printInstant(pause.until)
  const why = pause.reason === '' ? '' : ` (${visible(pause.reason)})`
  return `paused: ${whom} from ${printInstant(pause.from)} until ${until}${why}`
}

/** The paused periods as JSON; undefined if there are none. */
export function pausedDocument(periods: readonly PausedPeriod[]): readonly object[] | undefined {
  if (periods.length === 0) return undefined
  return periods.map(({ decision, start }) => ({
    identity: decision.job.identity,
    periodId: printInstant(decision.nominal),
    startsAt: start === undefined ? null : printInstant(start),
  }))
}
