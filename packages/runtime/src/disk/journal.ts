import { setImmediate } from 'node:timers'
import { PersistenceError } from '@kron/core'
import { SerialQueue } from '../serial-queue.ts'
import { writeAtomically } from './atomic-file.ts'
import { type Disk, type DiskFile, hasCode, isNoRoom } from './disk.ts'
import { guarded } from './guarded.ts'
import { CommitBuffer, HEADER_SIZE, segmentHeader } from './journal-format.ts'
import { recover, segmentName } from './journal-recovery.ts'

/** The records that will become durable together, and what their writers wait for. */
class Batch {
  readonly buffer: CommitBuffer
  readonly durable: Promise<void>
  resolve!: () => void
  reject!: (error: Error) => void

  constructor(buffer: CommitBuffer) {
    this.buffer = buffer
    this.durable = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}

interface OpenSegment {
  readonly number: number
  readonly file: DiskFile
  commits: number
  size: number
  /** The end of the file: up to here the disk has given room. */
  reserved: number
}

/** How a journal gets by on a disk that others may fill. Without it, a full disk is a failure like any other. */
export interface JournalRoom {
  /** Bytes that are kept free behind the last commit. */
  readonly reserve: number
  /** The reserve could not be renewed; there is still some of it. */
  low(error: Error): void
  /** The reserve is used up. Resolves when another try is worth it; with false the journal gives up. */
  full(error: Error): Promise<boolean>
}

/** The longer a segment is, the more bytes are reserved at once, up to this number: so few commits wait for that. */
const LARGEST_RESERVE = 1 << 20

/** Records that are durable once `append` resolves; all that wait for the disk at one time go to it together. */
export class Journal {
  readonly #disk: Disk
  readonly #directory: string
  readonly #room: JournalRoom | undefined
  #segment: OpenSegment
  /** The numbers of older segments. The next successful cut removes them. */
  #sealed: number[]
  #batch = new Batch(new CommitBuffer())
  #spare = new CommitBuffer()
  #committing = false
  /** The operations on the segment, one after the other. */
  readonly #work = new SerialQueue()
  readonly #cuts = new SerialQueue()
  #failure: PersistenceError | undefined
  #droppedTail: Uint8Array | undefined
  #droppedBytes = 0

  private constructor(
    disk: Disk,
    directory: string,
    segment: OpenSegment,
    sealed: number[],
    room: JournalRoom | undefined,
  ) {
    this.#disk = disk
    this.#room = room
    this.#directory = directory
    this.#segment = segment
    this.#sealed = sealed
  }

  /**
   * Replays what is durable, drops a torn end, and goes on from there; the directory must be locked. `names`: the
   * names in it, in any order, if the caller has just listed them.
   */
  static async open(
    disk: Disk,
    directory: string,
    replay: (record: Uint8Array) => void,
    names?: readonly string[],
    room?: JournalRoom,
  ): Promise<Journal> {
    const { segments, last, tail } = await recover(disk, directory, replay, names)
    const number = segments.at(-1)
    if (number === undefined || last === undefined) {
      const first = await createSegment(disk, directory, 1, room)
      return new Journal(disk, directory, first, [], room)
    }
    const path = `${directory}/${segmentName(number)}`
    let dropped = 0
    const segment = await guarded(`open ${path}`, async (): Promise<OpenSegment> => {
      const file = await disk.openToAppend(path)
      const { size, commits } = last
      const found = (await disk.stat(path)).size
      // A torn end is dropped, and so is room that somebody else has reserved.
      const reserved = last.end.kind === 'torn' || !canReserve(file, room) ? size : found
      if (last.end.kind === 'torn') dropped = found - size
      if (reserved < found) await file.truncate(reserved)
      // The new journal builds on bytes and names that a killed writer left in the page cache: sync them first.
      await file.sync()
      await disk.syncDirectory(directory)
      return { number, file, commits, size, reserved }
    })
    const journal = new Journal(disk, directory, segment, segments.slice(0, -1), room)
    journal.#droppedTail = tail
    journal.#droppedBytes = dropped
    await journal.#renewReserve()
    return journal
  }

  /** The spoiled end that opening has cut off, if whole records were in it. */
  get droppedTail(): Uint8Array | undefined {
    return this.#droppedTail
  }

  /** The number of bytes that opening has cut off because the last commit was incomplete or spoiled. */
  get droppedBytes(): number {
    return this.#droppedBytes
  }

  /** Bytes in the segment that grows; what a cut would start afresh. */
  get size(): number {
    return this.#segment.size - HEADER_SIZE
  }

  /** Resolves when the record is durable. Once one append has failed, all later ones fail. */
  append(record: Uint8Array | string): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const { buffer, durable } = this.#batch
    buffer.add(record)
    if (!this.#committing) {
      this.#committing = true
      this.#work.run(() => this.#commit())
    }
    return durable
  }

  /**
   * Begins a new segment, unless the present one is empty, and calls `makeDurable`, which must store all earlier records
   * elsewhere. When it has resolved, the old segments are deleted. Appending goes on meanwhile; if `makeDurable` fails,
   * nothing is deleted.
   */
  cut(makeDurable: () => Promise<void>): Promise<void> {
    return this.#cuts.run(async () => {
      await this.#work.run(() => this.#seal())
      await makeDurable()
      await this.#dropSealed()
    })
  }

  /** Waits for what has been appended, and closes the file. */
  async close(): Promise<void> {
    await this.#cuts.idle()
    await this.#work.idle()
    this.#failure ??= new PersistenceError('the journal is closed', {
      component: 'disk',
      operation: 'append',
    })
    await this.#segment.file.close()
  }

  async #commit(): Promise<void> {
    // Lets everything that is about to append in this turn of the loop join the commit.
    await turnEnd()
    const batch = this.#batch
    this.#batch = new Batch(this.#spare)
    this.#committing = false
    if (this.#failure !== undefined) return batch.reject(this.#failure)
    try {
      const bytes = batch.buffer.seal(this.#segment.commits)
      await this.#write(bytes)
      this.#segment.commits++
      this.#segment.size += bytes.length
    } catch (error) {
      this.#fail('append', error)
      return batch.reject(this.#failure!)
    }
    batch.buffer.clear()
    this.#spare = batch.buffer
    batch.resolve()
    await this.#renewReserve()
  }

  /** Writes a commit. In the reserve that cannot fail for want of room; beyond it, it waits for room. */
  async #write(bytes: Uint8Array): Promise<void> {
    const { file, size } = this.#segment
    const room = this.#room
    if (!canReserve(file, room)) return file.appendDurably(bytes)
    for (;;) {
      try {
        await file.writeDurably(bytes, size)
        this.#segment.reserved = Math.max(this.#segment.reserved, size + bytes.length)
        return
      } catch (error) {
        // No caller knows yet that the commit is durable, so its bytes may be written again.
        if (!isNoRoom(error) || !(await room!.full(error as Error))) throw error
      }
    }
  }

  /** Keeps at least half of the reserve free. */
  async #renewReserve(): Promise<void> {
    const room = this.#room
    const segment = this.#segment
    if (!canReserve(segment.file, room) || segment.reserved - segment.size >= room!.reserve / 2) return
    const more = Math.min(LARGEST_RESERVE, Math.max(room!.reserve, segment.size))
    try {
      await segment.file.writeDurably(Buffer.alloc(more), segment.reserved)
      segment.reserved += more
    } catch (error) {
      if (isNoRoom(error)) room!.low(error as Error)
      else this.#fail('reserve room for', error)
    }
  }

  async #seal(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#segment.commits === 0) return
    try {
      const next = await this.#nextSegment()
      const sealed = this.#segment
      this.#segment = next
      this.#sealed.push(sealed.number)
      await sealed.file.close()
    } catch (error) {
      if (error instanceof NoRoomError) throw error
      // It is unknown which segment a restart would take for the last one, so nothing more is promised.
      this.#fail('rotate', error)
      throw this.#failure
    }
  }

  /** If there is no room for another segment, and none was begun, this one can go on. */
  async #nextSegment(): Promise<OpenSegment> {
    const number = this.#segment.number + 1
    try {
      return await createSegment(this.#disk, this.#directory, number, this.#room)
    } catch (error) {
      if (this.#room === undefined || !isNoRoom(error)) throw error
      const path = `${this.#directory}/${segmentName(number)}`
      const isAbsent = await this.#disk.stat(path).then(
        () => false,
        absence => hasCode(absence, 'ENOENT'),
      )
      throw isAbsent
        ? new NoRoomError(`no room for another segment: ${(error as Error).message}`, error)
        : error
    }
  }

  async #dropSealed(): Promise<void> {
    if (this.#sealed.length === 0) return
    await guarded(`cut the journal in ${this.#directory}`, async () => {
      for (let number = this.#sealed[0]; number !== undefined; number = this.#sealed[0]) {
        await this.#removeSegment(number)
        // One by one and oldest first: a crash must not leave a gap.
        await this.#disk.syncDirectory(this.#directory)
        this.#sealed.shift()
      }
    })
  }

  /** The segment is absent if an earlier cut removed it and could not sync the directory. */
  async #removeSegment(number: number): Promise<void> {
    try {
      await this.#disk.remove(`${this.#directory}/${segmentName(number)}`)
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }

  /** After a failed write nobody knows what is on the disk: from now on nothing is promised. */
  #fail(operation: string, cause: unknown): void {
    this.#failure = new PersistenceError(
      `cannot ${operation} the journal in ${this.#directory}: ${(cause as Error).message}`,
      { component: 'disk', operation, cause },
    )
  }
}

/**
 * `process.nextTick`, saved when this module is loaded, so that a fake that a test installs later is not used. If a fake
 * is installed already (a test runner's fake has a property `clock`), `setImmediate` is used: the test would have to
 * advance the fake.
 */
const { nextTick } = process
const afterThisTurn: (act: () => void) => void = 'clock' in nextTick ? setImmediate : nextTick
const turnEnd = (): Promise<void> => new Promise(resolve => afterThisTurn(resolve))

/** The disk is too full to begin a new segment, so nothing can be cut off yet. Nothing is lost; it may be tried again. */
export class NoRoomError extends PersistenceError {
  constructor(message: string, cause: unknown) {
    super(message, { component: 'disk', operation: 'rotate', cause })
  }
}

type ReservingFile = DiskFile & Required<Pick<DiskFile, 'writeDurably'>>

const canReserve = (file: DiskFile, room: JournalRoom | undefined): file is ReservingFile =>
  room !== undefined && file.writeDurably !== undefined

async function createSegment(
  disk: Disk,
  directory: string,
  number: number,
  room: JournalRoom | undefined,
): Promise<OpenSegment> {
  const path = `${directory}/${segmentName(number)}`
  await writeAtomically(disk, path, segmentHeader())
  const file = await guarded(`open ${path}`, () => disk.openToAppend(path))
  const segment = { number, file, commits: 0, size: HEADER_SIZE, reserved: HEADER_SIZE }
  if (!canReserve(file, room)) return segment
  try {
    await file.writeDurably(Buffer.alloc(room!.reserve), HEADER_SIZE)
    return { ...segment, reserved: HEADER_SIZE + room!.reserve }
  } catch (error) {
    await file.close()
    await disk.remove(path)
    await disk.syncDirectory(directory)
    throw error
  }
}
