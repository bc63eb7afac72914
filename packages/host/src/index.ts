export { argvOf, splitCommand } from './job-file/command.ts'
export {
  type Account,
  configDirectory,
  listJobFiles,
  pidFile,
  stateDirectory,
} from './job-file/directories.ts'
export { removeEntry } from './job-file/edit.ts'
export { DEFAULT_SETTINGS, Entry, nameOf, type Output, type Settings } from './job-file/entry.ts'
export { jobFileError, type LineFault } from './job-file/fault.ts'
export { FIELDS } from './job-file/fields.ts'
export { type Identity, launchSpecOf, type Occasion } from './job-file/launch.ts'
export { expandPath } from './job-file/output.ts'
export { type JobFile, LONGEST_LINE, MOST_FAULTS, type ParseOptions, parseJobFile } from './job-file/parse.ts'
export { printEntry, printJobFile, quoted } from './job-file/print.ts'
export { type FileFault, LARGEST_FILE, type ReadFile, readJobFile } from './job-file/read.ts'
export { type Accounts, RunAs } from './job-file/run-as.ts'
export { type SafetyProblem, safetyProblems, type Trust } from './job-file/safety.ts'
export { Sharing } from './job-file/sharing.ts'
export * from './state/advance.ts'
export { lastDocument, outcomeDocument, runningDocument } from './state/outcome-json.ts'
export { readStateOf, readStates, StateReadError, type States, stateFileName } from './state/read.ts'
export * from './state/state.ts'
export {
  type Migration,
  type Migrations,
  readState,
  STATE_VERSION,
  type StateDocument,
} from './state/state-document.ts'
export * from './state/state-event.ts'
