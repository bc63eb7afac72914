import type { Clock } from '../clock.ts'
import type { ProcessIdentity, ProcessTable } from './process-table.ts'

export interface TerminateOptions {
  readonly processes: Pick<ProcessTable, 'isAlive' | 'signalGroup' | 'groupMembers'>
  readonly clock: Clock
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly grace: number
  /** Milliseconds after SIGKILL until whoever is left counts as a survivor. */
  readonly patience?: number
}

export type Termination =
  | { readonly kind: 'gone' }
  | { readonly kind: 'survived'; readonly members: readonly number[] }

const PATIENCE = 5_000
const FIRST_LOOK = 5
const LONGEST_PAUSE = 250

/** Ends a whole process group: SIGTERM, grace, SIGKILL. Resolves when nobody is left in it, or too long after. */
export async function terminate(leader: ProcessIdentity, options: TerminateOptions): Promise<Termination> {
  const { processes } = options
  if (!processes.signalGroup(leader, 'SIGTERM')) return { kind: 'gone' }
  // A stopped process would not notice SIGTERM.
  processes.signalGroup(leader, 'SIGCONT')
  if (await isGoneWithin(options.grace, leader, options)) return { kind: 'gone' }
  processes.signalGroup(leader, 'SIGKILL')
  if (await isGoneWithin(options.patience ?? PATIENCE, leader, options)) return { kind: 'gone' }
  return { kind: 'survived', members: processes.groupMembers(leader) }
}

async function isGoneWithin(
  milliseconds: number,
  leader: ProcessIdentity,
  { processes, clock }: TerminateOptions,
): Promise<boolean> {
  let left = milliseconds
  let pause = FIRST_LOOK
  while (!isGone(processes, leader)) {
    if (left <= 0) return false
    const sleep = Math.min(pause, left)
    await new Promise<void>(resolve => clock.setTimer(sleep, resolve))
    left -= sleep
    pause = Math.min(pause * 2, LONGEST_PAUSE)
  }
  return true
}

const isGone = (processes: TerminateOptions['processes'], leader: ProcessIdentity): boolean =>
  !processes.isAlive(leader) && processes.groupMembers(leader).length === 0
