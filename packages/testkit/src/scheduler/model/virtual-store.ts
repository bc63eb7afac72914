import type { VirtualClock } from '@kron/runtime'
import type { Change, Store, TaskRecord } from '../../../../scheduler/src/index.ts'

export type CommitFate =
  | { readonly kind: 'works'; readonly afterMs: number }
  | { readonly kind: 'fails'; readonly afterMs: number }
  /** The answer is lost, but the change is stored. */
  | { readonly kind: 'works but says it failed'; readonly afterMs: number }

/** A store that survives crashes; its commits take time and fail on demand. */
export interface LastingStore {
  /** The stored records; they are up to date by the time of a crash. */
  readonly records: Map<string, TaskRecord>
  fate: CommitFate
  /** The store as one process sees it: nothing happens after the process is dead. */
  seenBy(alive: () => boolean): Store
}

export class VirtualStore implements LastingStore {
  readonly records = new Map<string, TaskRecord>()
  fate: CommitFate = { kind: 'works', afterMs: 0 }
  #inFlight: { readonly change: Change; readonly sentAt: number } | undefined
  readonly #clock: VirtualClock

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  seenBy(alive: () => boolean): Store {
    return {
      load: () => this.#later(alive, () => [...this.records.values()]),
      commit: change => {
        this.#inFlight = { change, sentAt: this.#clock.now() }
        return this.#later(alive, () => {
          this.#inFlight = undefined
          if (this.fate.kind !== 'fails') this.#apply(change)
        })
      },
      close: () => {},
    }
  }

  /** The process dies; its pending commit may or may not have been stored. Returns the time at which it was sent. */
  crash(stored: boolean): number | undefined {
    const lost = this.#inFlight
    this.#inFlight = undefined
    if (!stored || lost === undefined) return undefined
    this.#apply(lost.change)
    return lost.sentAt
  }

  #apply({ put, remove }: Change): void {
    for (const record of put) this.records.set(record.name, structuredClone(record))
    for (const name of remove) this.records.delete(name)
  }

  #later<T>(alive: () => boolean, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#clock.setTimer(this.fate.afterMs, () => {
        if (!alive()) return
        const result = act()
        if (this.fate.kind === 'works') resolve(result)
        else reject(new Error('the store fails'))
      })
    })
  }
}
