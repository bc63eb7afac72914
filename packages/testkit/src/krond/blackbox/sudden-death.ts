import { existsSync, readFileSync, writeSync } from 'node:fs'
import type { Channel } from '@kron/host'
import type { Disk, DiskFile } from '@kron/runtime'

export interface Death {
  /** The operation on disk or serve at which the daemon is killed, counted from 1; or the first start that it sends, or that serve reports. */
  readonly at: number | 'launch' | 'started'
  /** Whether that operation still happens. */
  readonly after: boolean
  /** Only messages to and from serve count. */
  readonly messagesOnly?: boolean
  /** Operations count only while this file exists, so that a test chooses when the count begins. */
  readonly armedBy?: string
  /** Only operations on files whose path contains this text count, and no messages. */
  readonly within?: string
  /** The processes to kill; by default the daemon alone. */
  readonly victims?: readonly Victim[]
}

/** The daemon, its serve, or every shim that serve has started. */
export type Victim = 'krond' | 'serve' | 'shim'

/** The line that a killed process leaves in the daemon's log. */
export const DEATH_NOTE = 'sudden death'

/** The children of a process; none if it is gone. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function kill(victims: readonly Victim[]): void {
  const serves = childrenOf(process.pid).filter(pid =>
    readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('\0serve\0'),
  )
  const shims = serves.flatMap(childrenOf)
  const pids = { shim: shims, serve: serves, krond: [process.pid] }
  writeSync(2, `${DEATH_NOTE}\n`)
  // The daemon is killed last, because it does the killing.
  for (const victim of ['shim', 'serve', 'krond'] as const)
    if (victims.includes(victim)) for (const pid of pids[victim]) process.kill(pid, 'SIGKILL')
}

/** Counts every operation on disk and serve, and kills at the chosen one. */
export class SuddenDeath {
  private readonly death: Death
  private touches = 0

  constructor(death: Death) {
    this.death = death
  }

  disk(inner: Disk): Disk {
    if (this.death.messagesOnly) return inner
    const file = (each: DiskFile, path: string): DiskFile => ({
      write: bytes => this.touch(path, () => each.write(bytes)),
      sync: () => this.touch(path, () => each.sync()),
      appendDurably: bytes => this.touch(path, () => each.appendDurably(bytes)),
      truncate: size => this.touch(path, () => each.truncate(size)),
      close: () => each.close(),
    })
    return {
      ...inner,
      create: async (path, mode) => file(await this.touch(path, () => inner.create(path, mode)), path),
      openToAppend: async path => file(await inner.openToAppend(path), path),
      rename: (from, to) => this.touch(to, () => inner.rename(from, to)),
      remove: path => this.touch(path, () => inner.remove(path)),
      syncDirectory: path => this.touch(path, () => inner.syncDirectory(path)),
    }
  }

  /** Every message to serve and every answer counts as an operation. */
  channel(inner: Channel): Channel {
    const outer: Channel = {
      send: fields => {
        const isStart = this.death.at === 'launch' && fields[0] === 'start'
        this.touchNow(() => inner.send(fields), isStart)
      },
      onFrame: () => {},
    }
    inner.onFrame = payload => {
      const isStart = this.death.at === 'started' && payload.toString('latin1', 0, 8) === 'started\0'
      this.touchNow(() => outer.onFrame(payload), isStart)
    }
    return outer
  }

  private touchNow(act: () => void, isIt = false): void {
    const last = (this.death.within === undefined && this.isReached()) || isIt
    if (last && !this.death.after) this.die()
    act()
    // The channel writes the messages of one turn at its end; only then has serve got this one.
    if (last && this.death.after) process.nextTick(() => this.die())
  }

  private async touch<T>(path: string, act: () => Promise<T>): Promise<T> {
    const { within } = this.death
    const last = (within === undefined || path.includes(within)) && this.isReached()
    if (last && !this.death.after) this.die()
    const result = await act()
    if (last && this.death.after) this.die()
    return result
  }

  /** Counts one operation. */
  private isReached(): boolean {
    const { armedBy, at } = this.death
    if (armedBy !== undefined && !existsSync(armedBy)) return false
    return ++this.touches === at
  }

  private die(): void {
    kill(this.death.victims ?? ['krond'])
  }
}
