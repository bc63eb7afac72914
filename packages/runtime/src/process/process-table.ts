/** Tells a process from any other that ever had or will have its PID. */
export interface ProcessIdentity {
  readonly pid: number
  /** In clock ticks since boot. */
  readonly startTime: number
  readonly bootId: string
}

/** A living process, with the environment it began with and the user who runs it. */
export interface FoundProcess {
  readonly identity: ProcessIdentity
  /** The real one. */
  readonly uid: number
  readonly environment: ReadonlyMap<string, string>
}

/** How a process ended; unknown if it was not ours to wait for. */
export type Exit =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'unknown' }

/** The machine's processes, as a port. A leader is a process that was launched into a group of its own. */
export interface ProcessTable {
  /** Different after every boot. */
  bootId(): string
  /** CLOCK_BOOTTIME in milliseconds: goes on in suspend and never steps. */
  bootTime(): number
  /** The living process that has this PID now. */
  identify(pid: number): ProcessIdentity | undefined
  isAlive(process: ProcessIdentity): boolean
  /** The living processes whose initial environment has this variable, by its value, group leaders first, then by age. */
  findByEnvironment(variable: string): Promise<Map<string, FoundProcess[]>>
  /** Calls `onExit` once, when a process that need not be our child has ended; returns how to stop watching. */
  watchExit(process: ProcessIdentity, onExit: () => void): () => void
  /** Sends a signal to the whole group; false if nobody is left in it. */
  signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals): boolean
  /** PIDs of the living members of the group. */
  groupMembers(leader: ProcessIdentity): number[]
}
