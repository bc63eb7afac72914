import type { Channel, Entry } from '@kron/host'
import type { Clock, Disk } from '@kron/runtime'
import type { Boot, Processes } from '../../../../krond/src/effects/ports.ts'
import type { StateStore } from '../../../../krond/src/store/state-store.ts'

/** A deliberate mistake between the daemon and a port. */
export interface Sabotage {
  readonly parse?: (lines: readonly string[]) => readonly Entry[] | undefined
  readonly clock?: (clock: Clock) => Clock
  readonly disk?: (disk: Disk) => Disk
  readonly store?: (store: StateStore) => StateStore
  /** Between the daemon's client of the shim and serve. */
  readonly channel?: (channel: Channel) => Channel
  readonly processes?: (processes: Processes) => Processes
  readonly boot?: (boot: Boot) => Boot
}
