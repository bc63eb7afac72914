import { type Disk, type DiskFile, type DiskLoss, type VirtualClock, VirtualDisk } from '@kron/runtime'
import type { Change, Store, TaskRecord } from '../../../../scheduler/src/index.ts'
import { fileStore } from '../../../../scheduler/src/store/file/file-store.ts'
import { type Around, wrappedDisk, wrappedFile } from '../../disk/wrapped-disk.ts'
import type { CommitFate, LastingStore } from '../model/virtual-store.ts'

const DIRECTORY = '/state/scheduler'
/** So small that folding happens often. */
const SMALLEST_FOLD = 2_000

/** A deliberate mistake between the scheduler and its store, or between the store and the disk. */
export interface StoreSabotage {
  readonly commit?: (change: Change) => Change
  readonly load?: (records: readonly TaskRecord[]) => readonly TaskRecord[]
  readonly skipsFsync?: boolean
  /** A process that loads believes what a dead one wrote, without making it durable first. */
  readonly skipsFsyncAtLoad?: boolean
}

const never = <T>(): Promise<T> => new Promise(() => {})

/** The real file store on a virtual disk; its process may die at any operation on the disk. */
export class DiskStore implements LastingStore {
  readonly records = new Map<string, TaskRecord>()
  fate: CommitFate = { kind: 'works', afterMs: 0 }
  /** Counts the operations on the disk; at `crashAt` the process dies, before or after the operation. */
  steps = 0
  crashAt = Number.POSITIVE_INFINITY
  crashAfter = false
  dead = false
  /** Whether the current process has loaded the records. */
  isLoaded = false
  /** Deliberate mistakes. */
  sabotage: StoreSabotage = {}
  readonly #disk: VirtualDisk
  readonly #clock: VirtualClock
  readonly #part: (size: number) => number
  #inFlight: { readonly change: Change; readonly sentAt: number } | undefined
  /** Called when a process has loaded the records, which are certain from then on. */
  onLoaded: (storedAt: number | undefined) => void = () => {}

  constructor(clock: VirtualClock, random: () => number) {
    this.#clock = clock
    this.#disk = new VirtualDisk({ now: () => clock.now(), random })
    this.#part = size => Math.floor(random() * (size + 1))
    void this.#disk.makeDirectory('', 0o755)
  }

  seenBy(alive: () => boolean): Store {
    const lives = () => alive() && !this.dead
    const store = fileStore(DIRECTORY, {
      disk: this.#mortalDisk(lives),
      lock: () => ({ release() {} }),
      smallestFold: SMALLEST_FOLD,
    })
    return {
      load: session =>
        this.#later(lives, async () => {
          const records = await store.load(session)
          this.isLoaded = true
          this.#found(records)
          return this.sabotage.load?.(records) ?? records
        }),
      commit: change => this.#commit(lives, store, change),
      close: () => store.close(),
    }
  }

  /** The process is dead, perhaps with its machine. */
  die(power: boolean): DiskLoss | undefined {
    this.dead = true
    this.isLoaded = false
    return power ? this.#disk.crash() : undefined
  }

  /** Another process may begin. */
  revive(): void {
    this.dead = false
  }

  /** At the end of a history no process loads the records any more, so they are read from a copy of the disk. */
  async inspect(): Promise<void> {
    const inspector = fileStore(DIRECTORY, { disk: this.#disk.copy(), lock: () => ({ release() {} }) })
    this.#found(await inspector.load())
  }

  #found(found: readonly TaskRecord[]): void {
    this.records.clear()
    for (const record of found) this.records.set(record.name, record)
    const inFlight = this.#inFlight
    this.#inFlight = undefined
    this.onLoaded(inFlight && holds(this.records, inFlight.change) ? inFlight.sentAt : undefined)
  }

  async #commit(lives: () => boolean, store: Store, change: Change): Promise<void> {
    if (lives()) this.#inFlight = { change, sentAt: this.#clock.now() }
    await this.#later(lives, async () => {
      if (this.fate.kind !== 'fails') await store.commit(this.sabotage.commit?.(change) ?? change)
    })
    this.#inFlight = undefined
    if (this.fate.kind !== 'works') throw new Error('the store fails')
  }

  /** Acts after the delay of the store; does nothing if the process has died by then. */
  async #later<T>(lives: () => boolean, act: () => Promise<T>): Promise<T> {
    await new Promise<void>(resolve => {
      this.#clock.setTimer(this.fate.afterMs, resolve)
    })
    return lives() ? act() : never()
  }

  #touch<T>(lives: () => boolean, act: () => Promise<T>, begin?: () => Promise<void>): Promise<T> {
    if (!lives()) return never()
    if (++this.steps !== this.crashAt) return act().then(value => (lives() ? value : never<T>()))
    const done = this.crashAfter ? act() : begin?.()
    this.dead = true
    done?.catch(() => {})
    return never()
  }

  #isLax(): boolean {
    return this.sabotage.skipsFsyncAtLoad === true && !this.isLoaded
  }

  #mortalDisk(lives: () => boolean): Disk {
    const disk = this.#disk
    const touch: Around =
      (operation, act) =>
      (...values) =>
        this.#touch(lives, () =>
          isSync(operation) && this.#isLax() ? (Promise.resolve() as Promise<never>) : act(...values),
        )
    const writing =
      (inner: DiskFile, act: (bytes: Uint8Array) => Promise<void>) =>
      (bytes: Uint8Array): Promise<void> =>
        this.#touch(
          lives,
          () => act(bytes),
          () => inner.write(bytes.subarray(0, this.#part(bytes.length))),
        )
    const file = (inner: DiskFile): DiskFile =>
      wrappedFile(inner, touch, {
        write: writing(inner, bytes => inner.write(bytes)),
        appendDurably: writing(inner, bytes =>
          this.sabotage.skipsFsync ? inner.write(bytes) : inner.appendDurably(bytes),
        ),
      })
    return wrappedDisk(disk, touch, file)
  }
}

const isSync = (operation: string): boolean => operation === 'sync' || operation === 'syncDirectory'

/** Whether a change is stored completely. */
function holds(found: ReadonlyMap<string, TaskRecord>, { put, remove }: Change): boolean {
  if (put.length + remove.length === 0) return false
  const isThere = (record: TaskRecord): boolean => {
    const stored = found.get(record.name)
    return stored !== undefined && canonical(stored) === canonical(record)
  }
  return put.every(isThere) && remove.every(name => !found.has(name))
}

const canonical = (record: TaskRecord): string =>
  JSON.stringify(
    Object.entries(record)
      .filter(([, value]) => value !== undefined)
      .sort(),
  )
