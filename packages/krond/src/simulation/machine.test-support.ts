import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { applyRecord, type Hash, type KronError, readState, type State, type StateRecord } from '@kron/core'
import { type Entry, parseJobFile } from '@kron/krontab/format'
import {
  type Clock,
  type Disk,
  type DiskFile,
  readJournal,
  type Timer,
  VirtualClock,
  VirtualDisk,
} from '@kron/runtime'
import { Daemon } from '../daemon.ts'
import type { Event } from '../event.ts'
import type { Processes } from '../ports.ts'
import { StateStore, stateFileName } from '../state-store.ts'
import { VirtualProcesses } from './virtual-processes.test-support.ts'

export const STATE_DIR = '/state'
export const JOB_FILE = '/jobs.kron'

export interface MachineOptions {
  readonly now: number
  readonly random?: () => number
  readonly maxConcurrent?: number
  readonly debug?: boolean
  readonly history?: number
  readonly hash?: Hash
  readonly failAt?: number
}

const sha256: Hash = text => createHash('sha256').update(text).digest('hex')

/** One daemon's life. */
class Life {
  dead = false
  end!: () => void
  readonly ended = new Promise<void>(resolve => {
    this.end = () => {
      this.dead = true
      resolve()
    }
  })
}

/** A host in memory. Daemons come and go, by `stop` or by `crash`; its clock, disk and processes stay. */
export class Machine {
  readonly clock: VirtualClock
  readonly disk: VirtualDisk
  readonly processes: VirtualProcesses
  readonly events: Event[] = []
  fatal: KronError | undefined
  daemon: Daemon | undefined
  store: StateStore | undefined
  bootId = 'boot-1'
  /** Counts every touch of the world; when it reaches `crashAt` the daemon is gone, before or after the touch. */
  steps = 0
  crashAt = Number.POSITIVE_INFINITY
  crashAfter = false
  /** At this touch the disk is full: the write fails and the daemon must give up. */
  failAt: number
  /** Another hash than the true one. */
  hash: Hash | undefined
  private life = new Life()
  private ids = 0
  private readonly options: MachineOptions

  constructor(options: MachineOptions) {
    this.options = options
    this.failAt = options.failAt ?? Number.POSITIVE_INFINITY
    this.hash = options.hash
    this.clock = new VirtualClock({ now: options.now * 1_000 })
    this.disk = new VirtualDisk({
      now: () => this.clock.now(),
      ...(options.random ? { random: options.random } : {}),
    })
    this.processes = new VirtualProcesses(this.clock)
    void this.disk.makeDirectory(STATE_DIR, 0o700)
    void this.disk.makeDirectory('', 0o755)
    void this.disk.syncDirectory('')
  }

  get isDead(): boolean {
    return this.life.dead
  }

  /** Starts a daemon on job lines; resolves when it is planning, or when it died on the way. */
  async boot(lines: readonly string[]): Promise<void> {
    const life = new Life()
    this.life = life
    this.fatal = undefined
    const clock = this.mortalClock(life)
    const fatal = (error: KronError): void => this.giveUp(life, error)
    const starting = (async () => {
      const store = await StateStore.open({
        disk: this.mortalDisk(life),
        directory: STATE_DIR,
        clock,
        history: this.options.history ?? 50,
        fatal,
      })
      this.store = store
      this.daemon = new Daemon({
        clock,
        store,
        processes: this.mortalProcesses(life),
        boot: { id: this.bootId, time: () => this.clock.monotonic() },
        emit: event => {
          if (!life.dead) this.events.push(event)
        },
        hash: text => (this.hash ?? sha256)(text),
        newId: () => `execution-${++this.ids}`,
        debug: this.options.debug ?? false,
        fatal,
        maxConcurrent: this.options.maxConcurrent ?? Number.POSITIVE_INFINITY,
      })
      await this.daemon.start(entriesOf(lines))
    })()
    await Promise.race([starting.catch(fatal), life.ended])
  }

  /** kill -9, a power cut if `power` is set. */
  crash(power = false): void {
    this.life.end()
    if (!power) return
    this.disk.crash()
    this.processes.killAll()
    this.bootId = `boot-${this.clock.monotonic()}-${Math.random()}`
  }

  async stop(): Promise<void> {
    await Promise.race([this.daemon!.stop('wait').then(() => this.store!.close()), this.life.ended])
    this.life.end()
  }

  async reload(lines: readonly string[]): Promise<void> {
    const { life } = this
    const reloading = this.daemon!.reload(entriesOf(lines)).catch((error: KronError) =>
      this.giveUp(life, error),
    )
    await Promise.race([reloading, life.ended])
  }

  /** Lets time pass. */
  run(seconds: number): Promise<void> {
    return this.clock.run(seconds * 1_000)
  }

  /** What is durable about a job: its state file with the journal on top. */
  async state(name: string): Promise<State | undefined> {
    const identity = `${JOB_FILE}:${name}`
    const records: StateRecord[] = []
    await readJournal(this.disk, STATE_DIR, bytes => {
      const record = JSON.parse(Buffer.from(bytes).toString()) as StateRecord
      if (record.Identity === identity) records.push(record)
    })
    const path = `${STATE_DIR}/${stateFileName(identity)}`
    const bytes = await this.disk.read(path).catch(() => undefined)
    const document = bytes && readState(Buffer.from(bytes).toString(), identity, 0)
    assert.notEqual(document?.kind, 'corrupt', `${path} is not JSON`)
    const saved = document?.kind === 'state' ? document.state : undefined
    return records.reduce<State | undefined>((state, record) => applyRecord(state, record), saved)
  }

  /** What ran, as `name period`, in order of start. */
  ran(): string[] {
    return this.processes.started.map(each => `${each.identity.split(':')[1]} ${each.periodId}`)
  }

  private giveUp(life: Life, error: KronError): void {
    if (!life.dead) this.fatal ??= error
    life.end()
  }

  /** One touch of the world: after death it never happens and never returns. */
  private async touch<T>(life: Life, act: () => Promise<T>): Promise<T> {
    if (life.dead) return new Promise(() => {})
    const last = ++this.steps === this.crashAt
    if (last && !this.crashAfter) life.end()
    if (life.dead) return new Promise(() => {})
    try {
      const result = await act()
      return last || life.dead ? new Promise(() => {}) : result
    } finally {
      if (last) life.end()
    }
  }

  private unlessFull<T>(act: () => Promise<T>): Promise<T> {
    if (this.steps !== this.failAt) return act()
    return Promise.reject(Object.assign(new Error('ENOSPC: simulated'), { code: 'ENOSPC' }))
  }

  private mortalClock(life: Life): Clock {
    return {
      now: () => this.clock.now(),
      monotonic: () => this.clock.monotonic(),
      setTimer: (milliseconds, fire) => this.clock.setTimer(milliseconds, () => !life.dead && fire()),
      clearTimer: (timer: Timer) => timer !== undefined && this.clock.clearTimer(timer),
    }
  }

  private mortalDisk(life: Life): Disk {
    const { disk } = this
    const touch =
      <A extends unknown[], R>(act: (...values: A) => Promise<R>) =>
      (...values: A): Promise<R> =>
        this.touch(life, () => this.unlessFull(() => act(...values)))
    const file = (inner: DiskFile): DiskFile => ({
      write: touch(bytes => inner.write(bytes)),
      sync: touch(() => inner.sync()),
      appendDurably: touch(bytes => inner.appendDurably(bytes)),
      truncate: touch(size => inner.truncate(size)),
      close: touch(() => inner.close()),
    })
    return {
      read: touch(path => disk.read(path)),
      stat: touch(path => disk.stat(path)),
      list: touch(path => disk.list(path)),
      makeDirectory: touch((path, mode) => disk.makeDirectory(path, mode)),
      create: touch(async (path, mode) => file(await disk.create(path, mode))),
      openToAppend: touch(async path => file(await disk.openToAppend(path))),
      rename: touch((from, to) => disk.rename(from, to)),
      remove: touch(path => disk.remove(path)),
      syncDirectory: touch(path => disk.syncDirectory(path)),
    }
  }

  private mortalProcesses(life: Life): Processes {
    const { processes } = this
    const mortal = <T>(promise: Promise<T>): Promise<T> =>
      promise.then(value => (life.dead ? new Promise<T>(() => {}) : value))
    return {
      start: request =>
        this.touch(life, async () => {
          const answer = await processes.start(request)
          return 'refused' in answer ? answer : { ...answer, ended: mortal(answer.ended) }
        }),
      end: pid => this.touch(life, () => processes.end(pid)),
      isAlive: (pid, start) => processes.isAlive(pid, start),
      gone: (pid, start) => mortal(processes.gone(pid, start)),
      survivors: () => this.touch(life, () => processes.survivors()),
    }
  }
}

export function entriesOf(lines: readonly string[]): readonly Entry[] {
  const { entries, faults } = parseJobFile(lines.join('\n'), JOB_FILE)
  if (faults.length > 0) throw new Error(faults.map(fault => `${fault.line}: ${fault.message}`).join('\n'))
  return entries
}
