import type { Disk, DiskFile, FileStat } from './disk.ts'
import { VirtualFile } from './virtual-file.ts'

export interface VirtualDiskOptions {
  /** Epoch milliseconds, for the times of files. */
  readonly now?: () => number
  /** In [0, 1): decides what of the unsynced survives a crash. */
  readonly random?: () => number
}

/** The bytes and names that a crash of the machine lost or spoiled. */
export interface DiskLoss {
  /** Names that are not as they were last set: a file is missing, back, or older. */
  readonly names: number
  /** Files that lost the end of what was written to them. */
  readonly torn: number
  /** Files in which later bytes are there and earlier ones are not. */
  readonly reordered: number
}

/**
 * A disk in memory that is as forgetful as a real one: after `crash` only what was synced is certain, and of the rest
 * any part may be there. Names and contents are made durable separately, as on a real disk.
 */
export class VirtualDisk implements Disk {
  #names = new Map<string, VirtualFile>()
  readonly #durableNames = new Map<string, VirtualFile>()
  /** Names that differ, or may differ, from the durable ones. */
  readonly #unsynced = new Set<string>()
  readonly #now: () => number
  readonly #random: () => number
  readonly #uid = process.getuid?.() ?? 0
  /** Files opened before a crash are dead after it. */
  #life = 0

  constructor({ now = () => 0, random = () => 0 }: VirtualDiskOptions = {}) {
    this.#now = now
    this.#random = random
  }

  async read(path: string): Promise<Uint8Array> {
    return this.#find(path, 'file').read()
  }

  async stat(path: string): Promise<FileStat> {
    const { kind, mode, size, modifiedAt, version } = this.#find(path)
    return { kind, mode, size, uid: this.#uid, modifiedAt, version }
  }

  async list(directory: string): Promise<string[]> {
    this.#find(directory, 'directory')
    const names: string[] = []
    for (const path of this.#names.keys()) if (isIn(directory, path)) names.push(nameOf(path))
    // Reversed, so that nobody relies on an order that a real disk does not promise.
    return names.sort().reverse()
  }

  async makeDirectory(path: string, mode: number): Promise<void> {
    this.#add(path, 'directory', mode)
  }

  async create(path: string, mode: number): Promise<DiskFile> {
    return this.#open(this.#add(path, 'file', mode))
  }

  async openToAppend(path: string): Promise<DiskFile> {
    return this.#open(this.#find(path, 'file'))
  }

  async rename(from: string, to: string): Promise<void> {
    const file = this.#find(from)
    this.#change(from, undefined)
    this.#change(to, file)
  }

  async remove(path: string): Promise<void> {
    this.#find(path)
    this.#change(path, undefined)
  }

  async syncDirectory(directory: string): Promise<void> {
    this.#find(directory, 'directory')
    for (const path of this.#unsynced) {
      if (!isIn(directory, path)) continue
      this.#unsynced.delete(path)
      copyName(path, this.#names, this.#durableNames)
    }
  }

  /** Pulls the plug: unsynced names may be old or new, unsynced bytes there, torn, out of order or gone. */
  crash(): DiskLoss {
    this.#life++
    let names = 0
    for (const path of this.#unsynced) {
      if (this.#random() < 0.5) copyName(path, this.#names, this.#durableNames)
      else if (this.#names.get(path) !== this.#durableNames.get(path)) names++
    }
    this.#unsynced.clear()
    this.#names = new Map(this.#durableNames)
    let torn = 0
    let reordered = 0
    for (const file of this.#names.values()) {
      const loss = file.crash(this.#random)
      if (loss === 'torn') torn++
      if (loss === 'reordered') reordered++
    }
    return { names, torn, reordered }
  }

  /** Flips one bit of a file, as decay does: neither its version nor a time shows it. */
  decay(path: string, bit: number): void {
    this.#find(path, 'file').decay(bit)
  }

  /** The same contents on another disk, on which all of it is durable. */
  copy(): VirtualDisk {
    const disk = new VirtualDisk({ now: this.#now, random: this.#random })
    for (const [path, file] of this.#names) {
      const copy = file.copy()
      disk.#names.set(path, copy)
      disk.#durableNames.set(path, copy)
    }
    return disk
  }

  #open(file: VirtualFile): DiskFile {
    const life = this.#life
    const alive = (): void => {
      if (life !== this.#life) throw errno('EIO')
    }
    return {
      write: async bytes => {
        alive()
        file.append(bytes, this.#now())
      },
      sync: async () => {
        alive()
        file.sync()
      },
      appendDurably: async bytes => {
        alive()
        file.append(bytes, this.#now())
        file.sync()
      },
      truncate: async size => {
        alive()
        file.truncate(size)
      },
      close: async () => {},
    }
  }

  #change(path: string, file: VirtualFile | undefined): void {
    if (file === undefined) this.#names.delete(path)
    else this.#names.set(path, file)
    this.#unsynced.add(path)
  }

  #find(path: string, kind?: VirtualFile['kind']): VirtualFile {
    const file = this.#names.get(path)
    if (file === undefined) throw errno('ENOENT')
    if (kind !== undefined && file.kind !== kind) throw errno(kind === 'file' ? 'EISDIR' : 'ENOTDIR')
    return file
  }

  #add(path: string, kind: VirtualFile['kind'], mode: number): VirtualFile {
    if (this.#names.has(path)) throw errno('EEXIST')
    const file = new VirtualFile(kind, mode, this.#now())
    this.#change(path, file)
    return file
  }
}

const isIn = (directory: string, path: string): boolean =>
  path.lastIndexOf('/') === directory.length && path.startsWith(directory)
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function copyName(path: string, from: ReadonlyMap<string, VirtualFile>, to: Map<string, VirtualFile>): void {
  const file = from.get(path)
  if (file === undefined) to.delete(path)
  else to.set(path, file)
}

const errno = (code: string): Error => Object.assign(new Error(`${code}: virtual disk`), { code })
