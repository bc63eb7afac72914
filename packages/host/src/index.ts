export {
  type Accounts,
  type GroupAccount,
  hostAccounts,
  hostUsers,
  type UserAccount,
} from './account/accounts.ts'
export { type CalendarParser, Calendars, calendarDirectory } from './calendar/calendars.ts'
export { askDaemon, type ControlAnswer, type ControlCommand } from './control/ask.ts'
export { CrontabEntry, type CrontabMail, type CrontabRun } from './crontab/entry.ts'
export { environmentOf as crontabEnvironment } from './crontab/environment.ts'
export { type Field, readField } from './crontab/field.ts'
export { type CommandAndInput, splitInput } from './crontab/input.ts'
export { type CrontabLine, readCrontabLine } from './crontab/line.ts'
export { type Mail, mailOfMistakes, mailOfRun } from './crontab/mail.ts'
export { type Crontab, type CrontabOptions, parseCrontab } from './crontab/parse.ts'
export {
  CrontabReader,
  type CrontabSources,
  type Crontabs,
  type LiveSource,
  type RefusedCrontab,
  together,
} from './crontab/reader.ts'
export { CrontabSpool, DEFAULT_SPOOL, mayUseCrontab } from './crontab/spool.ts'
export { fieldOf, listOf } from './crontab/values.ts'
export { readVariable, type Variable } from './crontab/variable.ts'
export { CONF_FILE, type Conf, parseConf, readConf } from './fleet/conf-file.ts'
export { isMachineId, machineHash } from './fleet/machine-id.ts'
export { Salting, thisPlace } from './fleet/salting.ts'
export { argvOf } from './job-file/command.ts'
export {
  type Account,
  configDirectory,
  listJobFiles,
  pidFile,
  stateDirectory,
} from './job-file/directories.ts'
export { changeSalts, removeEntry } from './job-file/edit.ts'
export { DEFAULT_SETTINGS, Entry, fileOf, nameOf, type Output, type Settings } from './job-file/entry.ts'
export { entryPlace, jobFileError, type LineFault } from './job-file/fault.ts'
export { FIELDS } from './job-file/fields.ts'
export { type Occasion, type RunAccount, runSpecOf } from './job-file/launch.ts'
export {
  DEFAULT_NOTIFY_EVENTS,
  EVENTS_HINT,
  NOTIFY_EVENTS,
  type NotifyEvent,
  type NotifyTarget,
  parseNotifyEvents,
  parseTargets,
  printTarget,
  TARGET_HINT,
} from './job-file/notify.ts'
export { type JobFile, LONGEST_LINE, MOST_FAULTS, type ParseOptions, parseJobFile } from './job-file/parse.ts'
export { PathTrust } from './job-file/path-trust.ts'
export { printEntry, printJobFile, quoted } from './job-file/print.ts'
export { type FileFault, type ReadFile, readJobFile } from './job-file/read.ts'
export { RunAs } from './job-file/run-as.ts'
export type { SafetyProblem, Trust } from './job-file/safety.ts'
export { Sharing } from './job-file/sharing.ts'
export { shellSyntaxIn } from './job-file/shell-syntax.ts'
export { UserJobFiles } from './job-file/user-files.ts'
export { ownCgroup } from './launch/cgroup.ts'
export {
  type Claim,
  claimName,
  claimOf,
  claimPrefix,
  manualClaimName,
  nominalOfClaim,
  parseClaim,
  verifiedLines,
} from './launch/claim.ts'
export { type EmbeddedFiles, embed, embeddedFiles } from './launch/embedded.ts'
export { encodeFrame, FrameReader, fieldsOf, LENGTH_BYTES } from './launch/frames.ts'
export { type KeptOutput, type OutputPiece, parseKeptOutput } from './launch/kept-output.ts'
export { livingHolder, openLockFile, writeHolder } from './launch/lock-file.ts'
export { type OutputSection, OutputText, outputPieces, readKeptOutput } from './launch/output-parts.ts'
export { StartRefusedError } from './launch/refusal.ts'
export { type EndReason, parseRunEnd, type RunEnd } from './launch/run-end.ts'
export { runInForeground } from './launch/run-foreground.ts'
export type { Command, Limits, RunOutput, RunSpec, UserIds } from './launch/run-spec.ts'
export {
  closeRuntimeDirectory,
  controlSocketOf,
  openRuntimeDirectory,
  type RuntimeDirectory,
  type RuntimePlace,
  runtimePlaces,
} from './launch/runtime-directory.ts'
export { type Serve, type ServeOptions, startServe } from './launch/serve.ts'
export {
  type Channel,
  type ControlRequest,
  type FollowAnswer,
  Shim,
  type ShimObserver,
  type StartedRun,
} from './launch/shim.ts'
export { shimPath } from './launch/shim-path.ts'
export { BootClock } from './process/boot-clock.ts'
export * as oldLauncher from './process/old-launcher.ts'
export { bootId, type ProcessStat, readProcessStat } from './process/proc.ts'
export * from './state/advance.ts'
export { goneJobs, type KeptState } from './state/gone.ts'
export { lastDocument, runningDocument } from './state/outcome-json.ts'
export { outcomesOf, shownOutcomesOf } from './state/outcome-records.ts'
export {
  concerns,
  MOST_COUNTED_PERIODS,
  PAUSES_FILE,
  type Pause,
  parsePauses,
  pauseAt,
  printPauses,
} from './state/pause.ts'
export { type PruneOptions, pruneChoice, pruneUnderLock } from './state/prune.ts'
export { readStateOf, readStates, StateReadError, type States, stateFileName } from './state/read.ts'
export { planReset, type ResetPlan } from './state/reset.ts'
export {
  type HistoryUsage,
  type RunUsage,
  USAGE_KEYS,
  type UsageRecord,
  usageRecord,
} from './state/run-usage.ts'
export * from './state/state.ts'
export {
  type Migration,
  type Migrations,
  printState,
  readState,
  STATE_VERSION,
  type StateDocument,
} from './state/state-document.ts'
export * from './state/state-event.ts'
export { Curves, type FoundCurve } from './weights/curves.ts'
export { HostZones, hostZones, type UnusedZoneFile, ZONEINFO } from './zone/host-zones.ts'
export { TzifError } from './zone/tzif.ts'
export { zoneTableOf } from './zone/zone-table.ts'
