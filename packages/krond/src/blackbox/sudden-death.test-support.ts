import type { Channel } from '@kron/host'
import type { Disk, DiskFile } from '@kron/runtime'

export interface Death {
  /** At which touch of disk or serve the daemon is killed, counted from 1, or at its first start of a run. */
  readonly at: number | 'launch'
  /** Whether that touch still happens. */
  readonly after: boolean
}

/** Counts every touch of disk and serve, and kills this very process at the chosen one. */
export class SuddenDeath {
  private readonly death: Death
  private touches = 0

  constructor(death: Death) {
    this.death = death
  }

  disk(inner: Disk): Disk {
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

  /** Every message to serve and every answer is a touch. */
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
    if (last && !this.death.after) process.kill(process.pid, 'SIGKILL')
    act()
    if (last) process.kill(process.pid, 'SIGKILL')
  }

  private async touch<T>(act: () => Promise<T>): Promise<T> {
    const last = ++this.touches === this.death.at
    if (last && !this.death.after) process.kill(process.pid, 'SIGKILL')
    const result = await act()
    if (last) process.kill(process.pid, 'SIGKILL')
    return result
  }
}
