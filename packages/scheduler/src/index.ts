export type { Disk, DiskFile, FileStat, LockLoss } from '@kron/runtime'
export { type SchedulerClock, systemClock } from './clock/system-clock.ts'
export { virtualClock } from './clock/virtual-clock.ts'
export {
  explain,
  type RunResult,
  runNow,
  subscribe,
  type TaskExplanation,
  type TaskState,
  type TaskStateName,
  tasksOf,
} from './control.ts'
export {
  type CronExpression,
  cronMatches,
  cronNext,
  cronPrev,
  parseCron,
  parseCronField,
} from './cron/cron.ts'
export type { ScheduleRules } from './cron/task-schedule.ts'
export * from './error/cron-error.ts'
export * from './error/lifecycle-error.ts'
export * from './error/option-error.ts'
export * from './error/record-error.ts'
export * from './error/registration-error.ts'
export { SchedulerError } from './error/scheduler-error.ts'
export type * from './event.ts'
export type { Logger } from './logger.ts'
export type { SchedulerOptions } from './options.ts'
export { validateRegistrations } from './registration/parse.ts'
export type * from './registration/registration.ts'
export { DIAGNOSTICS_CHANNEL } from './report.ts'
export { makeScheduler, type Scheduler } from './scheduler.ts'
export { type FileStorePorts, fileStore, type StoreLock } from './store/file/file-store.ts'
export { memoryStore } from './store/memory-store.ts'
export { type PostgresStoreOptions, postgresStore } from './store/postgres/postgres-store.ts'
export { sqliteStore } from './store/sqlite/sqlite-store.ts'
export { type Change, type Store, StoreLostError, type StoreSession } from './store/store.ts'
export type { TaskRecord } from './task/record.ts'
export { checkTrace } from './theory/check-trace.ts'
export { TraceRecorder } from './theory/recorder.ts'
export type * from './theory/trace.ts'
