export { type Accounts, type GroupAccount, hostAccounts, type UserAccount } from './accounts.ts'
export { FileLock, lockHolder } from './disk/lock.ts'
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
export * from './portable.ts'
export { linuxProcessTable } from './process/linux-process-table.ts'
export type { Exit, FoundProcess, ProcessIdentity, ProcessTable } from './process/process-table.ts'
export { type TerminateOptions, type Termination, terminate } from './process/terminate.ts'
