import type { Entry } from '@kron/host'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'

/** The number of runs whose output may still come; the oldest are forgotten first. */
const MOST_RUNS = 10_000
const LONGEST_LINE = 2_048
/** Bytes of all jobs together that become log lines, a second. More would cost the time that starts need. */
const MOST_BYTES = 256 * 1_024
const SECOND_MS = 1_000

interface Source {
  readonly identity: string
  readonly executionId: string
  /** The unfinished last line of each stream. */
  readonly rest: { out: string; err: string }
  /** Bytes that did not become log lines, and were not reported yet. */
  lostBytes: number
}

/** Turns the output of jobs (stdout=inherit) into lines of the daemon's log, each with the job's name. */
export class JobOutput {
  readonly #emit: Emit
  readonly #sources = new Map<number, Source>()
  readonly #losers = new Set<Source>()
  /** The bytes that may still be printed in this second. */
  #left = MOST_BYTES
  #timer: NodeJS.Timeout | undefined

  constructor(emit: Emit) {
    this.#emit = emit
  }

  /** Output under this number belongs to this run. */
  expect(ref: number, { identity }: Entry, executionId: string): void {
    this.#sources.set(ref, { identity, executionId, rest: { out: '', err: '' }, lostBytes: 0 })
    if (this.#sources.size <= MOST_RUNS) return
    for (const oldest of this.#sources.keys()) {
      this.#sources.delete(oldest)
      return
    }
  }

  receive(ref: number, stream: 'out' | 'err', droppedBytes: number, data: string): void {
    const source = this.#sources.get(ref)
    if (source === undefined) return
    const { identity, executionId, rest } = source
    source.lostBytes += droppedBytes
    if (data.length > this.#left) source.lostBytes += data.length
    if (source.lostBytes > 0) this.#losers.add(source)
    this.#timer ??= setTimeout(() => this.#nextSecond(), SECOND_MS).unref()
    if (data.length > this.#left) return
    this.#left -= data.length
    const lines = `${rest[stream]}${data}`.split('\n')
    const last = lines.pop() ?? ''
    // A very long line is printed in pieces.
    rest[stream] = last.length > LONGEST_LINE ? '' : last
    if (last.length > LONGEST_LINE) lines.push(last)
    for (const line of lines) this.#emit(events.output(identity, executionId, stream, line))
  }

  #nextSecond(): void {
    this.#timer = undefined
    this.#left = MOST_BYTES
    for (const source of this.#losers) {
      this.#emit(events.outputDropped(source.identity, source.executionId, source.lostBytes))
      source.lostBytes = 0
    }
    this.#losers.clear()
  }
}
