export { Alarm, type AlarmOptions, type ClockJump, LEAST_JUMP_MS } from './alarm.ts'
export { backoff } from './backoff.ts'
export { type Clock, systemClock, type Timer } from './clock.ts'
export { type NewFile, removeLeftovers, writeAllAtomically, writeAtomically } from './disk/atomic-file.ts'
export { codeOf, type Disk, type DiskFile, type FileStat, hasCode, isNoRoom, messageOf } from './disk/disk.ts'
export { Journal, type JournalRoom } from './disk/journal.ts'
export { JournalDamagedError, readJournal } from './disk/journal-recovery.ts'
export { journalSegments, removeJournal, salvageJournal } from './disk/journal-salvage.ts'
export { nodeDisk } from './disk/node-disk.ts'
export { type DiskLoss, VirtualDisk, type VirtualDiskOptions } from './disk/virtual-disk.ts'
export { DueQueue } from './due-queue.ts'
export {
  Counter,
  counterFamily,
  gaugeFamily,
  Histogram,
  histogramFamily,
  type Labels,
  type MetricFamily,
  printFamily,
  type Sample,
} from './exposition.ts'
export { DirectoryLock, type DirectoryLockOptions, type LockLoss } from './lock/directory-lock.ts'
export { LockHeldError } from './lock/lock-held.ts'
export { SerialQueue } from './serial-queue.ts'
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts'
