import { accessSync, constants, statfsSync } from 'node:fs'
import { PersistenceError } from '@kron/core'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'

/** The free space of the state directory's file system, in bytes and in files. */
export interface FreeRoom {
  readonly bytes: number
  readonly totalBytes: number
  /** Infinity if the file system does not count files. */
  readonly files: number
  /** Whether it is mounted read-only. */
  readonly isReadOnly?: boolean
}

export interface DiskRoomParts {
  readonly directory: string
  readonly emit: Emit
  /** Called when there is room again: starts that waited may go on. */
  readonly back: () => void
  readonly look?: () => FreeRoom
}

/** Bytes that are reserved for the journal, so that starts under way can be recorded. */
export const JOURNAL_RESERVE = 64 << 10
const MOST_NEEDED = 8 << 20
const FILES_NEEDED = 16
/** How long a measurement is valid. */
const FRESH_MS = 1_000
/** The time between two measurements while starts are stopped. */
const MEASURE_INTERVAL_MS = 2_000

/** Stops new starts before the disk is full, and lets them go on when there is room again. */
export class DiskRoom {
  readonly #parts: DiskRoomParts
  readonly #look: () => FreeRoom
  #lookedAt = Number.NEGATIVE_INFINITY
  #problem: string | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(parts: DiskRoomParts) {
    this.#parts = parts
    this.#look = parts.look ?? (() => freeRoom(parts.directory))
  }

  /** Why no job starts; null if they do. */
  get problem(): string | null {
    return this.#problem
  }

  /** Whether a start could still be recorded. */
  mayStart(): boolean {
    const now = performance.now()
    if (this.#problem === null && now - this.#lookedAt > FRESH_MS) {
      this.#lookedAt = now
      const room = this.#look()
      if (room.isReadOnly) this.#stop(`${this.#parts.directory} is read-only`, 'make it writable')
      else if (isLow(room, 1))
        this.failed(new Error(`${kilobytes(room.bytes)} are left for ${this.#parts.directory}`))
    }
    return this.#problem === null
  }

  /** A write failed because there was no room. */
  failed(error: Error): void {
    if (this.#problem === null) this.#stop(`the disk is nearly full: ${error.message}`, 'make room')
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #stop(problem: string, remedy: string): void {
    this.#problem = problem
    const context = {
      component: 'state',
      operation: 'find room',
      hint: `${remedy}: jobs start again by themselves`,
    }
    this.#parts.emit(events.failed(new PersistenceError(`${problem}; no job starts meanwhile`, context)))
    this.#timer = setTimeout(() => this.#lookAgain(), MEASURE_INTERVAL_MS)
  }

  #lookAgain(): void {
    const room = this.#look()
    // Twice the limit must be free before starts go on, so that they do not stop again at once.
    if (room.isReadOnly || isLow(room, 2)) {
      this.#timer = setTimeout(() => this.#lookAgain(), MEASURE_INTERVAL_MS)
      return
    }
    this.#problem = null
    this.#parts.emit(events.roomAgain(room.bytes))
    this.#parts.back()
  }
}

/** Pure: whether there is less than the needed room, or less than a multiple of it. */
function isLow({ bytes, totalBytes, files }: FreeRoom, times: number): boolean {
  const needed = Math.max(JOURNAL_RESERVE, Math.min(MOST_NEEDED, totalBytes / 20))
  return bytes < needed * times || files < FILES_NEEDED * times
}

function freeRoom(directory: string): FreeRoom {
  const { bavail, blocks, bsize, files, ffree } = statfsSync(directory)
  return {
    bytes: bavail * bsize,
    totalBytes: blocks * bsize,
    files: files === 0 ? Number.POSITIVE_INFINITY : ffree,
    isReadOnly: isReadOnly(directory),
  }
}

/** Even root may not write to a file system that is mounted read-only. */
function isReadOnly(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}

const kilobytes = (bytes: number): string => `${Math.floor(bytes / 1024)} KiB`
