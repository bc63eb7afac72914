import type { Disk, DiskFile, FileStat } from './disk.ts'

interface Inode {
  readonly kind: 'file' | 'directory'
  readonly mode: number
  bytes: Uint8Array
  /** What a crash cannot take. */
  durable: Uint8Array
  modifiedAt: number
}

export interface VirtualDiskOptions {
  /** Epoch milliseconds, for the times of files. */
  readonly now?: () => number
  /** In [0, 1): decides what of the unsynced survives a crash. */
  readonly random?: () => number
}

/**
 * A disk in memory that is as forgetful as a real one: after `crash` only what was synced is certain, and of the rest
 * any part may be there. Names and contents are made durable separately, as on a real disk.
 */
export class VirtualDisk implements Disk {
  private names = new Map<string, Inode>()
  private readonly durableNames = new Map<string, Inode>()
  /** Names that differ, or may differ, from the durable ones. */
  private readonly unsynced = new Set<string>()
  private readonly now: () => number
  private readonly random: () => number
  /** Files opened before a crash are dead after it. */
  private life = 0

  constructor({ now = () => 0, random = () => 0 }: VirtualDiskOptions = {}) {
    this.now = now
    this.random = random
  }

  async read(path: string): Promise<Uint8Array> {
    return this.find(path, 'file').bytes.slice()
  }

  async stat(path: string): Promise<FileStat> {
    const { kind, mode, bytes, modifiedAt } = this.find(path)
    return { kind, mode, size: bytes.length, uid: process.getuid?.() ?? 0, modifiedAt }
  }

  async list(directory: string): Promise<string[]> {
    this.find(directory, 'directory')
    return [...this.names.keys()]
      .filter(path => parentOf(path) === directory)
      .map(nameOf)
      .sort()
  }

  async makeDirectory(path: string, mode: number): Promise<void> {
    this.add(path, 'directory', mode)
  }

  async create(path: string, mode: number): Promise<DiskFile> {
    return this.open(this.add(path, 'file', mode))
  }

  async openToAppend(path: string): Promise<DiskFile> {
    return this.open(this.find(path, 'file'))
  }

  async rename(from: string, to: string): Promise<void> {
    const inode = this.find(from)
    this.change(from, undefined)
    this.change(to, inode)
  }

  async remove(path: string): Promise<void> {
    this.find(path)
    this.change(path, undefined)
  }

  async syncDirectory(directory: string): Promise<void> {
    this.find(directory, 'directory')
    for (const path of this.unsynced) {
      if (parentOf(path) !== directory) continue
      this.unsynced.delete(path)
      copyName(path, this.names, this.durableNames)
    }
  }

  /** Pulls the plug: unsynced names may be old or new, unsynced bytes there, torn or gone. */
  crash(): void {
    this.life++
    for (const path of this.unsynced) {
      if (this.random() < 0.5) copyName(path, this.names, this.durableNames)
    }
    this.unsynced.clear()
    this.names = new Map(this.durableNames)
    for (const inode of this.names.values()) {
      const kept = inode.durable.length
      const extra = Math.floor(this.random() * (Math.max(0, inode.bytes.length - kept) + 1))
      inode.bytes = inode.bytes.length >= kept ? inode.bytes.slice(0, kept + extra) : inode.durable
      inode.durable = inode.bytes
    }
  }

  private open(inode: Inode): DiskFile {
    const { life } = this
    const alive = (): void => {
      if (life !== this.life) throw errno('EIO')
    }
    const write = async (added: Uint8Array): Promise<void> => {
      alive()
      const bytes = new Uint8Array(inode.bytes.length + added.length)
      bytes.set(inode.bytes)
      bytes.set(added, inode.bytes.length)
      inode.bytes = bytes
      inode.modifiedAt = this.now()
    }
    const sync = async (): Promise<void> => {
      alive()
      inode.durable = inode.bytes
    }
    return {
      write,
      sync,
      appendDurably: async bytes => {
        await write(bytes)
        await sync()
      },
      truncate: async size => {
        alive()
        inode.bytes = inode.bytes.slice(0, size)
      },
      close: async () => {},
    }
  }

  private change(path: string, inode: Inode | undefined): void {
    if (inode === undefined) this.names.delete(path)
    else this.names.set(path, inode)
    this.unsynced.add(path)
  }

  private find(path: string, kind?: Inode['kind']): Inode {
    const inode = this.names.get(path)
    if (inode === undefined) throw errno('ENOENT')
    if (kind !== undefined && inode.kind !== kind) throw errno(kind === 'file' ? 'EISDIR' : 'ENOTDIR')
    return inode
  }

  private add(path: string, kind: Inode['kind'], mode: number): Inode {
    if (this.names.has(path)) throw errno('EEXIST')
    const inode: Inode = {
      kind,
      mode,
      bytes: new Uint8Array(),
      durable: new Uint8Array(),
      modifiedAt: this.now(),
    }
    this.change(path, inode)
    return inode
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function copyName(path: string, from: ReadonlyMap<string, Inode>, to: Map<string, Inode>): void {
  const inode = from.get(path)
  if (inode === undefined) to.delete(path)
  else to.set(path, inode)
}

const errno = (code: string): Error => Object.assign(new Error(`${code}: virtual disk`), { code })
