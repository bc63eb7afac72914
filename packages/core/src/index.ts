export { acceptance, unschedulableChance } from './acceptance.ts'
export * from './civil.ts'
export { type Calendar, calendarOf, printCalendar } from './constraint/calendar.ts'
export { type Clause, parseClause } from './constraint/clause.ts'
export { allows, type Constraints, printConstraints, rejection } from './constraint/constraints.ts'
export type { Cron, Dialect } from './cron/cron.ts'
export { minutesPerDay } from './cron/cron.ts'
export type { CronField } from './cron/field.ts'
export { parseCron, parseCronField } from './cron/parse.ts'
export { printCron } from './cron/print.ts'
export { matches, next, prev } from './cron/search.ts'
export * from './decision.ts'
export { type Distribution, type Frame, type Shape, shapeOf } from './distribution/distribution.ts'
export { parametersOf, printDistribution } from './distribution/parameters.ts'
export { HOUR, MINUTE, parseDuration, printDuration, SECOND } from './duration.ts'
export * from './error.ts'
export * from './explanation.ts'
export { type Fault, faulty, type Parsed, parsed, quote } from './fault.ts'
export * from './forecast.ts'
export * from './handled.ts'
export { EARLIEST, LATEST, parseInstant, printDate, printInstant } from './instant.ts'
export * from './plan.ts'
export * from './policy.ts'
export { type Argument, Faults } from './schedule/argument.ts'
export {
  mergeClauses,
  readDist,
  readPolicy,
  readSeed,
  readWindow,
  readZone,
  type SidedClause,
} from './schedule/modifiers.ts'
export { checkOpenPeriods, MOST_OPEN_PERIODS, openPeriods } from './schedule/open-periods.ts'
export { parseSchedule, parseScheduleHead, type ScheduleHead } from './schedule/parse.ts'
export { DEFAULTS, type Job, printSchedule, type Schedule } from './schedule/schedule.ts'
export { periodKey, type Seed, type SeedStrategy } from './seed/seed.ts'
export { type Hash, sha256 } from './seed/sha256.ts'
export * from './state.ts'
export {
  type Migration,
  type Migrations,
  readState,
  STATE_VERSION,
  type StateDocument,
} from './state-document.ts'
export { upcoming } from './upcoming.ts'
export { endOffset, startOffset, type Window, type WindowMode } from './window.ts'
export { findZone, suggestZone } from './zone/find.ts'
export { UTC, type Zone } from './zone/zone.ts'
