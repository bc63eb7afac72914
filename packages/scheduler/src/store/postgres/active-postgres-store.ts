import { clearInterval, setInterval, setTimeout } from 'node:timers'
import { type Change, isStoreLost, StoreLostError, type StoreSession } from '../store.ts'
import type { Connect } from './client.ts'
import { LockSession, type StorePlace } from './lock-session.ts'

const STANDBY_INTERVAL = 1_000

/** Takes one instance from standby to active, and keeps it active across broken connections. */
export class ActivePostgresStore {
  readonly #connect: Connect
  readonly #place: StorePlace
  readonly #session: StoreSession | undefined
  #lock: LockSession | undefined
  /** The backend process ID of the session that last held the lock. */
  #pid: unknown
  #epoch: string | undefined
  #heart: NodeJS.Timeout | undefined
  #recovery: Promise<LockSession> | undefined
  #beating = false
  #closed = false

  constructor(connect: Connect, place: StorePlace, session: StoreSession | undefined) {
    this.#connect = connect
    this.#place = place
    this.#session = session
    session?.signal.addEventListener('abort', () => this.close(), { once: true })
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Waits for the lock, and returns the persisted records. */
  async load(): Promise<readonly unknown[]> {
    let lock = await this.#open()
    if (!(await lock.tryLock())) {
      this.#session?.onStandby()
      lock = await this.#standBy(lock)
    }
    this.#keep(lock)
    await lock.createTables()
    await lock.epoch()
    this.#epoch = await lock.nextEpoch()
    const records = await lock.records()
    this.#heart = setInterval(() => this.#beat(), this.#place.timeoutMs / 3)
    return records
  }

  async commit(change: Change): Promise<void> {
    const lock = await this.#locked()
    try {
      await lock.commit(change)
    } catch (error) {
      lock.close()
      throw error
    }
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#heart)
    this.#lock?.close()
  }

  async #open(): Promise<LockSession> {
    const lock = await LockSession.open(this.#connect, this.#place)
    this.#lock = lock
    if (this.#closed) lock.close()
    return lock
  }

  async #standBy(first: LockSession): Promise<LockSession> {
    let lock = first
    for (;;) {
      await new Promise(resolve => setTimeout(resolve, STANDBY_INTERVAL))
      this.#session?.signal.throwIfAborted()
      try {
        if (lock.ended) lock = await this.#open()
        if (await lock.tryLock()) return lock
      } catch (error) {
        lock.close()
        this.#session?.onError('stand by', error)
      }
    }
  }

  #keep(lock: LockSession): void {
    this.#lock = lock
    this.#pid = lock.pid
  }

  /** The session that holds the lock. Opens a new one if the old one has ended and no other instance has taken over. */
  async #locked(): Promise<LockSession> {
    const lock = this.#lock
    if (this.#closed) throw new Error('the PostgreSQL store is closed')
    if (lock !== undefined && !lock.ended) return lock
    this.#recovery ??= this.#recover().finally(() => {
      this.#recovery = undefined
    })
    return this.#recovery
  }

  async #recover(): Promise<LockSession> {
    this.#lock?.close()
    const lock = await this.#open()
    try {
      const locked = await lock.tryLock()
      if ((await lock.epoch()) !== this.#epoch) throw new StoreLostError(this.#place.name)
      if (!locked) {
        await lock.endGhost(this.#pid)
        throw new Error('the session before still holds the lock')
      }
      this.#keep(lock)
      return lock
    } catch (error) {
      lock.close()
      throw error
    }
  }

  async #beat(): Promise<void> {
    if (this.#beating) return
    this.#beating = true
    try {
      await (await this.#locked()).beat()
    } catch (error) {
      if (this.#closed) return
      if (isStoreLost(error)) this.#session?.onLost(error)
      else this.#session?.onError('keep the session', error)
    } finally {
      this.#beating = false
    }
  }
}
