const SMALLEST = 256
/** The unit in which a disk writes: whole or not at all. */
const SECTOR = 512
const EMPTY = new Uint8Array()
let files = 0

/** The effect of a crash on the bytes of a file that were not synced. */
export type Loss = 'none' | 'torn' | 'reordered'

/** One file, or directory, of a virtual disk, with what a crash cannot take from it. */
export class VirtualFile {
  readonly kind: 'file' | 'directory'
  readonly mode: number
  modifiedAt: number
  readonly #number = ++files
  #changes = 0
  #bytes = EMPTY
  #end = 0
  /** The number of durable bytes at the start of `bytes`. */
  #kept = 0
  /** Durable bytes beyond `bytes`, after a truncation that was not synced. */
  #cutOff = EMPTY

  constructor(kind: VirtualFile['kind'], mode: number, now: number) {
    this.kind = kind
    this.mode = mode
    this.modifiedAt = now
  }

  get size(): number {
    return this.#end
  }

  /** Another one after every change. */
  get version(): string {
    return `${this.#number}-${this.#changes}`
  }

  read(): Uint8Array {
    return this.#bytes.slice(0, this.#end)
  }

  /** Flips one bit, as decay does: neither the version nor a time shows it. */
  decay(bit: number): void {
    this.#bytes[bit >> 3]! ^= 1 << (bit & 7)
  }

  copy(): VirtualFile {
    const copy = new VirtualFile(this.kind, this.mode, this.modifiedAt)
    copy.append(this.#bytes.subarray(0, this.#end), this.modifiedAt)
    copy.sync()
    return copy
  }

  append(added: Uint8Array, now: number): void {
    const end = this.#end + added.length
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(SMALLEST, end, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, this.#end))
      this.#bytes = larger
    }
    this.#bytes.set(added, this.#end)
    this.#end = end
    this.modifiedAt = now
    this.#changes++
  }

  sync(): void {
    this.#kept = this.#end
    this.#cutOff = EMPTY
  }

  truncate(size: number): void {
    if (size < this.#kept) {
      const lost = this.#bytes.slice(size, this.#kept)
      this.#cutOff = concat(lost, this.#cutOff)
      this.#kept = size
    }
    this.#end = Math.min(this.#end, size)
    this.#changes++
  }

  /** Keeps what is durable, and of the rest what chance leaves. */
  crash(random: () => number): Loss {
    const loss = this.#cutOff.length > 0 ? this.#bringBack() : this.#spoil(random)
    this.sync()
    if (loss !== 'none') this.#changes++
    return loss
  }

  /** A truncation that was not synced has not happened, nor what was written after it. */
  #bringBack(): Loss {
    const cutOff = this.#cutOff
    this.#end = this.#kept
    this.append(cutOff, this.modifiedAt)
    return 'torn'
  }

  #spoil(random: () => number): Loss {
    const unsynced = this.#end - this.#kept
    if (unsynced === 0) return 'none'
    // Two draws whatever the size, so that a longer file does not change the fate of the next.
    const left = Math.floor(random() * (unsynced + 1))
    const order = random()
    this.#end = this.#kept + left
    let hole = false
    // Sectors reach the disk in any order: of those before the end, some may still be blank.
    for (let at = this.#kept; order < 0.5 && at < this.#end; at = sectorAfter(at)) {
      if ((order * (at + SECTOR)) % 1 < 0.7) continue
      this.#bytes.fill(0, at, Math.min(sectorAfter(at), this.#end))
      hole = true
    }
    if (hole) return 'reordered'
    return left < unsynced ? 'torn' : 'none'
  }
}

const sectorAfter = (at: number): number => at - (at % SECTOR) + SECTOR

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}
