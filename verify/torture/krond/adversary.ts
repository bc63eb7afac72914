import type { Chance } from '@kron/testkit/chance'
import type { Arena, Exit } from './arena.ts'

/** How often each thing was done to a daemon. */
export interface Deeds {
  lives: number
  /** kill -9, by victim: krond, `kron-shim serve`, shims, and commands of jobs. */
  kills: number
  serveKills: number
  shimKills: number
  jobKills: number
  stops: number
  fullDisk: number
  readOnly: number
  limits: number
  clockJumps: number
  edits: number
  reloads: number
  twins: number
  /** Hostile jobs that a daemon was given. */
  hostileJobs: number
}

export const noDeeds = (): Deeds => ({
  lives: 0,
  kills: 0,
  serveKills: 0,
  shimKills: 0,
  jobKills: 0,
  stops: 0,
  fullDisk: 0,
  readOnly: 0,
  limits: 0,
  clockJumps: 0,
  edits: 0,
  reloads: 0,
  twins: 0,
  hostileJobs: 0,
})

export interface Round {
  readonly arena: Arena
  readonly chance: Chance
  readonly deeds: Deeds
}

/** One way to make a daemon's life hard. */
export interface Adversary {
  readonly name: string
  /** The reason why it cannot work on this machine. */
  readonly obstacle?: () => string | undefined
  /** Prepares a new arena; returns a function that undoes it. */
  readonly prepare?: (arena: Arena) => () => void
  /** Undoes its changes before the calm life at the end. */
  readonly calm?: (arena: Arena) => void
  /** One life, or several at once, from start to end. Returns the unexpected exits. */
  readonly round: (round: Round) => Promise<readonly string[]>
}

/** Describes an exit that is neither SIGKILL nor one of the named codes. */
export function unexpected(exit: Exit, ...codes: readonly number[]): string[] {
  if (exit.signal === 'SIGKILL' || (exit.code !== null && codes.includes(exit.code))) return []
  return [`krond ended with ${exit.code ?? exit.signal}`]
}
