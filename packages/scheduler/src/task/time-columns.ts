import type { TaskRecord } from './record.ts'

const NONE = Number.NaN

/** The instants of many tasks, a column per field and 40 bytes a task. NaN stands for none. */
export class TimeColumns {
  /** Few tasks run at a time, so this column is sparse. */
  readonly owners = new Map<number, string>()
  firstSeenAt: Float64Array
  lastAttemptAt: Float64Array
  lastSuccessAt: Float64Array
  lastFailureAt: Float64Array
  pendingRetryUntil: Float64Array

  constructor(capacity: number) {
    this.firstSeenAt = new Float64Array(capacity)
    this.lastAttemptAt = new Float64Array(capacity)
    this.lastSuccessAt = new Float64Array(capacity)
    this.lastFailureAt = new Float64Array(capacity)
    this.pendingRetryUntil = new Float64Array(capacity)
  }

  get capacity(): number {
    return this.firstSeenAt.length
  }

  write(row: number, record: TaskRecord): void {
    this.firstSeenAt[row] = record.firstSeenAt
    this.lastAttemptAt[row] = record.lastAttemptAt ?? NONE
    this.lastSuccessAt[row] = record.lastSuccessAt ?? NONE
    this.lastFailureAt[row] = record.lastFailureAt ?? NONE
    this.pendingRetryUntil[row] = record.pendingRetryUntil ?? NONE
    if (record.runningBy !== undefined) this.owners.set(row, record.runningBy)
    else if (this.owners.size > 0) this.owners.delete(row)
  }

  /** The record of a row, given what is not in these columns. */
  read(row: number, name: string, cronExpression: string, retryDelayMs: number): TaskRecord {
    // Assignments instead of spreads: this is done twice for every run.
    const record: { -readonly [Field in keyof TaskRecord]: TaskRecord[Field] } = {
      name,
      cronExpression,
      retryDelayMs,
      firstSeenAt: this.firstSeenAt[row]!,
    }
    const attempt = this.lastAttemptAt[row]!
    if (!Number.isNaN(attempt)) record.lastAttemptAt = attempt
    const success = this.lastSuccessAt[row]!
    if (!Number.isNaN(success)) record.lastSuccessAt = success
    const failure = this.lastFailureAt[row]!
    if (!Number.isNaN(failure)) record.lastFailureAt = failure
    const retry = this.pendingRetryUntil[row]!
    if (!Number.isNaN(retry)) record.pendingRetryUntil = retry
    const owner = this.owners.get(row)
    if (owner !== undefined) record.runningBy = owner
    return record
  }

  reserve(capacity: number): void {
    this.firstSeenAt = grown(this.firstSeenAt, capacity)
    this.lastAttemptAt = grown(this.lastAttemptAt, capacity)
    this.lastSuccessAt = grown(this.lastSuccessAt, capacity)
    this.lastFailureAt = grown(this.lastFailureAt, capacity)
    this.pendingRetryUntil = grown(this.pendingRetryUntil, capacity)
  }
}

export function grown(old: Float64Array, capacity: number): Float64Array {
  const larger = new Float64Array(capacity)
  larger.set(old)
  return larger
}
