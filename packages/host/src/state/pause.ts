import { IncompatibleStateError } from '@kron/core'
import { checksumOf } from './state-document.ts'

/**
 * A pause of one job or of all: while it lasts, the job is suspended whatever its file says. Times are epoch seconds.
 * Pauses lie in `<state>/pauses.json`, so that a job file stays as its author wrote it.
 */
export interface Pause {
  /** Names this pause: `resume` may end one of several. */
  readonly id: string
  /** The identity of the paused job; null for every job. */
  readonly identity: string | null
  /** The first second of the pause. */
  readonly from: number
  /** The first second after the pause; null if it lasts until somebody resumes the job. */
  readonly until: number | null
  readonly reason: string
  /** The name of the user who asked for it. */
  readonly user: string
  /** When it was asked for. */
  readonly at: number
}

/** krond counts at most this many periods that a pause will cost. */
export const MOST_COUNTED_PERIODS = 1_000

export const PAUSES_FILE = 'pauses.json'
const VERSION = 1

/** Whether the pause applies to this job. */
export const concerns = (pause: Pause, identity: string): boolean =>
  pause.identity === null || pause.identity === identity

/** The pause that suspends the job in this second; if there are several, the one that ends last. */
export function pauseAt(pauses: readonly Pause[], identity: string, second: number): Pause | undefined {
  const endOf = ({ until }: Pause): number => until ?? Number.POSITIVE_INFINITY
  return pauses
    .filter(each => concerns(each, identity) && each.from <= second && second < endOf(each))
    .reduce<Pause | undefined>((a, b) => (a === undefined || endOf(b) > endOf(a) ? b : a), undefined)
}

/** The text of the file, with a checksum over the pauses. */
export function printPauses(pauses: readonly Pause[]): string {
  const text = JSON.stringify(pauses)
  return `${JSON.stringify({ version: VERSION, checksum: checksumOf(text), pauses }, null, 1)}\n`
}

/** Throws an IncompatibleStateError for a damaged file: ignoring a pause could run a job that must not run. */
export function parsePauses(text: string): readonly Pause[] {
  const refuse = (why: string): never => {
    throw new IncompatibleStateError(`${PAUSES_FILE} cannot be used: ${why}`, {
      component: 'state',
      operation: 'read pauses',
      hint: `if no job shall be paused, remove ${PAUSES_FILE} from the state directory`,
    })
  }
  let file: { version?: unknown; checksum?: unknown; pauses?: unknown }
  try {
    file = JSON.parse(text) as typeof file
  } catch {
    return refuse('it is not JSON')
  }
  if (file?.version !== VERSION) return refuse(`its version is ${String(file?.version)}, expected ${VERSION}`)
  if (file.checksum !== checksumOf(JSON.stringify(file.pauses))) return refuse('its checksum is wrong')
  return file.pauses as readonly Pause[]
}
