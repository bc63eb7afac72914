import { readFileSync, writeSync } from 'node:fs'
import type { Channel } from '@kron/host'
import type { Disk, DiskFile } from '@kron/runtime'

export interface Death {
  /** The operation on disk or serve at which the daemon is killed, counted from 1, or its first start of a run. */
  readonly at: number | 'launch'
  /** Whether that operation still happens. */
  readonly after: boolean
  /** Only messages to and from serve count. */
  readonly messagesOnly?: boolean
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
    const file = (each: DiskFile): DiskFile => ({
      write: bytes => this.touch(() => each.write(bytes)),
      sync: () => this.touch(() => each.sync()),
      appendDurably: bytes => this.touch(() => each.appendDurably(bytes)),
      truncate: size => this.touch(() => each.truncate(size)),
      close: () => each.close(),
    })
    return {
      ...inner,
      create: async (path, mode) => file(await this.touch(() => inner.create(path, mode))),
      openToAppend: async path => file(await inner.openToAppend(path)),
      rename: (from, to) => this.touch(() => inner.rename(from, to)),
      remove: path => this.touch(() => inner.remove(path)),
      syncDirectory: path => this.touch(() => inner.syncDirectory(path)),
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
    inner.onFrame = payload => this.touchNow(() => outer.onFrame(payload))
    return outer
  }

  private touchNow(act: () => void, isIt = false): void {
    const last = ++this.touches === this.death.at || isIt
    if (last && !this.death.after) this.die()
    act()
    if (last && this.death.after) this.die()
  }

  private async touch<T>(act: () => Promise<T>): Promise<T> {
    const last = ++this.touches === this.death.at
    if (last && !this.death.after) this.die()
    const result = await act()
    if (last && this.death.after) this.die()
    return result
  }

  private die(): void {
    kill(this.death.victims ?? ['krond'])
  }
}
