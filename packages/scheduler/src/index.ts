export type { Disk, DiskFile, FileStat } from '@kron/runtime'
export {
  type CronExpression,
  cronMatches,
  cronNext,
  cronPrev,
  parseCron,
  parseCronField,
} from './cron/cron.ts'
export * from './error/cron-error.ts'
export * from './error/lifecycle-error.ts'
export * from './error/record-error.ts'
export * from './error/registration-error.ts'
export { SchedulerError } from './error/scheduler-error.ts'
export type * from './event.ts'
export type { Logger } from './logger.ts'
export { validateRegistrations } from './registration/parse.ts'
export type * from './registration/registration.ts'
export { makeScheduler, type Scheduler, type SchedulerOptions } from './scheduler.ts'
export { type FileStorePorts, fileStore } from './store/file/file-store.ts'
export { memoryStore } from './store/memory-store.ts'
export { type PostgresStoreOptions, postgresStore } from './store/postgres/postgres-store.ts'
export { type Change, type Store, StoreLostError, type StoreSession } from './store/store.ts'
export { type SchedulerClock, systemClock } from './system-clock.ts'
export type { TaskRecord } from './task/record.ts'
export { checkTrace } from './theory/check-trace.ts'
export { TraceRecorder } from './theory/recorder.ts'
export type * from './theory/trace.ts'
export { virtualClock } from './virtual-clock.ts'
