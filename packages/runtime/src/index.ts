export { type Accounts, type GroupAccount, hostAccounts, type UserAccount } from './accounts.ts'
export { Alarm, type AlarmOptions, type ClockJump } from './alarm.ts'
export { Chance } from './chance.ts'
export { type Clock, systemClock, type Timer } from './clock.ts'
export { type NewFile, removeLeftovers, writeAllAtomically, writeAtomically } from './disk/atomic-file.ts'
export { type Disk, type DiskFile, type FileStat, hasCode, isNoRoom } from './disk/disk.ts'
export { diskWith } from './disk/disk-with.ts'
export { Journal, type JournalRoom } from './disk/journal.ts'
export { JournalDamagedError, readJournal } from './disk/journal-recovery.ts'
export { journalSegments, removeJournal, salvageJournal } from './disk/journal-salvage.ts'
export { FileLock, LockHeldError, lockHolder } from './disk/lock.ts'
export { nodeDisk } from './disk/node-disk.ts'
export { type DiskLoss, VirtualDisk, type VirtualDiskOptions } from './disk/virtual-disk.ts'
export { DueQueue } from './due-queue.ts'
export { Counter, Histogram, type Labels, type MetricFamily, printFamily, type Sample } from './exposition.ts'
export {
  type Command,
  LaunchError,
  type Launched,
  type Launcher,
  type LaunchSpec,
  type Limits,
  type Output,
  type UserIds,
} from './launch/launcher.ts'
export { posixLauncher } from './launch/posix-launcher.ts'
export { afterOtherStarts } from './launch/spawn.ts'
export { returnFreeMemory } from './native/free-memory.ts'
export { type Notifier, systemdNotifier } from './notify.ts'
export { linuxProcessTable } from './process/linux-process-table.ts'
export type { Exit, FoundProcess, ProcessIdentity, ProcessTable } from './process/process-table.ts'
export { type TerminateOptions, type Termination, terminate } from './process/terminate.ts'
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts'
