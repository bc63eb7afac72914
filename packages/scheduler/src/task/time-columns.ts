import type { TaskRecord } from './record.ts'

const NONE = Number.NaN

/** The times and owners of many tasks: one column per field, 49 bytes per task. NaN means no instant. */
export class TimeColumns {
  firstSeenAt: Float64Array
  /** 1 if the task does not owe the minute in which it was first seen. */
  firstMinuteWaived: Uint8Array
  lastAttemptAt: Float64Array
  lastSuccessAt: Float64Array
  lastFailureAt: Float64Array
  pendingRetryUntil: Float64Array
  /** 0 if the number is not kept. */
  attempt: Uint32Array
  /** The number of the owner. 0 means none. */
  #ownerOf: Uint32Array
  readonly #owners = ['']

  constructor(capacity: number) {
    this.#ownerOf = new Uint32Array(capacity)
    this.attempt = new Uint32Array(capacity)
    this.firstMinuteWaived = new Uint8Array(capacity)
    this.firstSeenAt = new Float64Array(capacity)
    this.lastAttemptAt = new Float64Array(capacity)
    this.lastSuccessAt = new Float64Array(capacity)
    this.lastFailureAt = new Float64Array(capacity)
    this.pendingRetryUntil = new Float64Array(capacity)
  }

  /** The columns of tasks that were all first seen at one instant and never ran. */
  static firstSeen(tasks: number, at: number): TimeColumns {
    const columns = new TimeColumns(tasks)
    columns.firstSeenAt.fill(at)
    columns.lastAttemptAt.fill(NONE)
    columns.lastSuccessAt.fill(NONE)
    columns.lastFailureAt.fill(NONE)
    columns.pendingRetryUntil.fill(NONE)
    return columns
  }

  get capacity(): number {
    return this.firstSeenAt.length
  }

  write(row: number, record: TaskRecord): void {
    this.firstSeenAt[row] = record.firstSeenAt
    this.firstMinuteWaived[row] = record.firstMinuteWaived ? 1 : 0
    this.lastAttemptAt[row] = record.lastAttemptAt ?? NONE
    this.lastSuccessAt[row] = record.lastSuccessAt ?? NONE
    this.lastFailureAt[row] = record.lastFailureAt ?? NONE
    this.pendingRetryUntil[row] = record.pendingRetryUntil ?? NONE
    this.attempt[row] = record.attempt ?? 0
    this.setOwner(row, record.runningBy)
  }

  hasOwner(row: number): boolean {
    return this.#ownerOf[row] !== 0
  }

  setOwner(row: number, owner: string | undefined): void {
    this.#ownerOf[row] = owner === undefined ? 0 : this.#numberOf(owner)
  }

  /** The record of a row. The arguments are the fields that are not in these columns. */
  read(row: number, name: string, cronExpression: string, retryDelayMs: number): TaskRecord {
    // Assignments are faster than spreads. This runs twice for every run.
    const record: { -readonly [Field in keyof TaskRecord]: TaskRecord[Field] } = {
      name,
      cronExpression,
      retryDelayMs,
      firstSeenAt: this.firstSeenAt[row]!,
    }
    if (this.firstMinuteWaived[row] === 1) record.firstMinuteWaived = true
    const started = this.lastAttemptAt[row]!
    if (!Number.isNaN(started)) record.lastAttemptAt = started
    const success = this.lastSuccessAt[row]!
    if (!Number.isNaN(success)) record.lastSuccessAt = success
    const failure = this.lastFailureAt[row]!
    if (!Number.isNaN(failure)) record.lastFailureAt = failure
    const retry = this.pendingRetryUntil[row]!
    if (!Number.isNaN(retry)) record.pendingRetryUntil = retry
    const attempt = this.attempt[row]!
    if (attempt !== 0) record.attempt = attempt
    const owner = this.#ownerOf[row]!
    if (owner !== 0) record.runningBy = this.#owners[owner]!
    return record
  }

  reserve(capacity: number): void {
    this.firstSeenAt = grown(this.firstSeenAt, capacity)
    this.firstMinuteWaived = grownFlags(this.firstMinuteWaived, capacity)
    this.lastAttemptAt = grown(this.lastAttemptAt, capacity)
    this.lastSuccessAt = grown(this.lastSuccessAt, capacity)
    this.lastFailureAt = grown(this.lastFailureAt, capacity)
    this.pendingRetryUntil = grown(this.pendingRetryUntil, capacity)
    this.attempt = grownIntegers(this.attempt, capacity)
    this.#ownerOf = grownIntegers(this.#ownerOf, capacity)
  }

  /** The number of an owner. Owners are instances: there are few, and most lookups repeat the last one. */
  #numberOf(owner: string): number {
    const last = this.#owners.length - 1
    if (owner === this.#owners[last]) return last
    const known = this.#owners.indexOf(owner)
    return known > 0 ? known : this.#owners.push(owner) - 1
  }
}

export function grown(old: Float64Array, capacity: number): Float64Array {
  const larger = new Float64Array(capacity)
  larger.set(old)
  return larger
}

function grownFlags(old: Uint8Array, capacity: number): Uint8Array {
  const larger = new Uint8Array(capacity)
  larger.set(old)
  return larger
}

function grownIntegers(old: Uint32Array, capacity: number): Uint32Array {
  const larger = new Uint32Array(capacity)
  larger.set(old)
  return larger
}
