import { setImmediate } from 'node:timers'
import { PersistenceError } from '@kron/core'
import { writeAtomically } from './atomic-file.ts'
import type { Disk, DiskFile } from './disk.ts'
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
}

/** Records that are durable once `append` resolves; all that wait for the disk at one time go to it together. */
export class Journal {
  readonly #disk: Disk
  readonly #directory: string
  #segment: OpenSegment
  /** Segments that hold nothing but what the next successful cut makes needless. */
  #sealed: number[]
  #batch = new Batch(new CommitBuffer())
  #spare = new CommitBuffer()
  #committing = false
  /** What is done to the segment, one thing after the other. */
  #work: Promise<void> = Promise.resolve()
  #cuts: Promise<void> = Promise.resolve()
  #failure: PersistenceError | undefined
  #droppedTail: Uint8Array | undefined

  private constructor(disk: Disk, directory: string, segment: OpenSegment, sealed: number[]) {
    this.#disk = disk
    this.#directory = directory
    this.#segment = segment
    this.#sealed = sealed
  }

  /**
   * Replays what is durable, drops a torn end, and goes on from there; the directory must be locked. `names`: what is
   * in it, sorted, if the caller has just looked.
   */
  static async open(
    disk: Disk,
    directory: string,
    replay: (record: Uint8Array) => void,
    names?: readonly string[],
  ): Promise<Journal> {
    const { segments, last, tail } = await recover(disk, directory, replay, names)
    const number = segments.at(-1)
    if (number === undefined || last === undefined) {
      return new Journal(disk, directory, await createSegment(disk, directory, 1), [])
    }
    const path = `${directory}/${segmentName(number)}`
    const segment = await guarded(`open ${path}`, async (): Promise<OpenSegment> => {
      const file = await disk.openToAppend(path)
      if (last.end.kind === 'torn') await file.truncate(last.end.size)
      // What a killed writer left in the page cache, names too, is built upon from now on: it must outlast a power cut.
      await file.sync()
      await disk.syncDirectory(directory)
      return { number, file, commits: last.commits, size: (await disk.stat(path)).size }
    })
    const journal = new Journal(disk, directory, segment, segments.slice(0, -1))
    journal.#droppedTail = tail
    return journal
  }

  /** The spoiled end that opening has cut off, if whole records were in it. */
  get droppedTail(): Uint8Array | undefined {
    return this.#droppedTail
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
      this.#do(() => this.#commit())
    }
    return durable
  }

  /**
   * Calls `makeDurable` to store elsewhere everything appended by then, and drops it when that has resolved.
   * Appending goes on meanwhile; if `makeDurable` fails, nothing is dropped.
   */
  cut(makeDurable: () => Promise<void>): Promise<void> {
    const cut = this.#cuts.then(async () => {
      await this.#do(() => this.#seal())
      await makeDurable()
      await this.#dropSealed()
    })
    this.#cuts = cut.catch(() => {})
    return cut
  }

  /** Waits for what has been appended, and closes the file. */
  async close(): Promise<void> {
    await this.#cuts
    await this.#work
    this.#failure ??= new PersistenceError('the journal is closed', {
      component: 'disk',
      operation: 'append',
    })
    await this.#segment.file.close()
  }

  #do(act: () => Promise<void>): Promise<void> {
    const done = this.#work.then(act)
    this.#work = done.catch(() => {})
    return done
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
      await this.#segment.file.appendDurably(bytes)
      this.#segment.commits++
      this.#segment.size += bytes.length
    } catch (error) {
      this.#fail('append', error)
      return batch.reject(this.#failure!)
    }
    batch.buffer.clear()
    this.#spare = batch.buffer
    batch.resolve()
  }

  async #seal(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#segment.commits === 0) return
    try {
      const next = await createSegment(this.#disk, this.#directory, this.#segment.number + 1)
      const sealed = this.#segment
      this.#segment = next
      this.#sealed.push(sealed.number)
      await sealed.file.close()
    } catch (error) {
      // It is unknown which segment a restart would take for the last one, so nothing more is promised.
      this.#fail('rotate', error)
      throw this.#failure
    }
  }

  async #dropSealed(): Promise<void> {
    if (this.#sealed.length === 0) return
    await guarded(`cut the journal in ${this.#directory}`, async () => {
      for (let number = this.#sealed[0]; number !== undefined; number = this.#sealed[0]) {
        await this.#disk.remove(`${this.#directory}/${segmentName(number)}`)
        // One by one and oldest first: a crash must not leave a gap.
        await this.#disk.syncDirectory(this.#directory)
        this.#sealed.shift()
      }
    })
  }

  /** After a failed write nobody knows what is on the disk: from now on nothing is promised. */
  #fail(operation: string, cause: unknown): void {
    this.#failure = new PersistenceError(
      `cannot ${operation} the journal in ${this.#directory}: ${(cause as Error).message}`,
      { component: 'disk', operation, cause },
    )
  }
}

/** Taken when this is loaded, and not if it is a test runner's fake, which has a `clock`: nobody would advance it. */
const { nextTick } = process
const afterThisTurn: (act: () => void) => void = 'clock' in nextTick ? setImmediate : nextTick
const turnEnd = (): Promise<void> => new Promise(resolve => afterThisTurn(resolve))

async function createSegment(disk: Disk, directory: string, number: number): Promise<OpenSegment> {
  const path = `${directory}/${segmentName(number)}`
  await writeAtomically(disk, path, segmentHeader())
  const file = await guarded(`open ${path}`, () => disk.openToAppend(path))
  return { number, file, commits: 0, size: HEADER_SIZE }
}
