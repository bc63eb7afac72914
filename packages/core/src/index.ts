export { type Balance, type Balanceable, balance, baseOf, leastPeak } from './balance/balance.ts'
export type { Span } from './balance/starts.ts'
export {
  COMPARED,
  compareStarts,
  type Equivalence,
  nominalStarts,
  type OtherSchedule,
  type StartDifference,
} from './comparison/compare.ts'
export { dateOf, type LocalDate, nextDay, WallClock } from './comparison/wall-clock.ts'
export { type Calendar, calendarOf, printCalendar, union as unionOfRanges } from './constraint/calendar.ts'
export { type Clause, parseClause, type Range } from './constraint/clause.ts'
export { allows, type Constraints, printConstraints, rejection } from './constraint/constraints.ts'
export {
  type CalendarFinder,
  type CalendarRanges,
  calendarDigests,
  calendarsOf,
  type NamedCalendar,
  NO_RANGES,
  sameCalendars,
  withCalendars,
} from './constraint/named-calendar.ts'
export type { Cron, Dialect } from './cron/cron.ts'
export { AT_REBOOT, minutesPerDay } from './cron/cron.ts'
export type { CronField } from './cron/field.ts'
export { CRON_MACROS } from './cron/macro.ts'
export { parseCron, parseCronField } from './cron/parse.ts'
export { printCron } from './cron/print.ts'
export { matches, next, prev } from './cron/search.ts'
export * from './decision/decision.ts'
export * from './decision/explanation.ts'
export { type Difference, differences, recompute } from './decision/recompute.ts'
export { type Curve, MOST_STEPS, parseCurve, type Steps } from './distribution/curve.ts'
export { type Distribution, type Frame, type Shape, shapeOf } from './distribution/distribution.ts'
export { DISTRIBUTION_PARAMETERS, parametersOf, printDistribution } from './distribution/parameters.ts'
export { fallbackOf, type Weights, type WeightsFallback } from './distribution/weights.ts'
export { sameCurve, versionOf, weightsOf, withCurve } from './distribution/weights-file.ts'
export * from './error/error.ts'
export { type Fault, faulty, type Parsed, parsed, quote, unusable } from './error/fault.ts'
export { didYouMean, editDistance, suggest } from './error/suggest.ts'
export { acceptance, unschedulableChance } from './forecast/acceptance.ts'
export { addFleetToForecast, PeriodOfFleet } from './forecast/fleet.ts'
export * from './forecast/forecast.ts'
export { AFTER_A_PAUSE, PausedJob, type PausedTime } from './forecast/paused-job.ts'
export { periodsWithin } from './forecast/periods.ts'
export { nextDecisions, upcoming } from './forecast/upcoming.ts'
export { type Argument, Faults } from './schedule/argument.ts'
export { mergeClauses, type SidedClause } from './schedule/clauses.ts'
export { readDist, readPolicy, readSeed, readWindow, readZone } from './schedule/modifiers.ts'
export { checkOpenPeriods, MOST_OPEN_PERIODS, openPeriods } from './schedule/open-periods.ts'
export { parseSchedule, parseScheduleHead, type ScheduleHead } from './schedule/parse.ts'
export { DEFAULTS, type Job, printSalt, printSchedule, type Schedule } from './schedule/schedule.ts'
export { endOffset, startOffset, type Window, type WindowMode } from './schedule/window.ts'
export { differsByHost, expandSalt, type SaltPlace, saltFault } from './seed/salt.ts'
export { periodKey, type Seed, type SeedStrategy } from './seed/seed.ts'
export { type Hash, sha256 } from './seed/sha256.ts'
export * from './time/civil.ts'
export { HOUR, MINUTE, parseDuration, printDuration, SECOND } from './time/duration.ts'
export { EARLIEST, LATEST, parseInstant, printDate, printInstant } from './time/instant.ts'
export * from './turn/attempt.ts'
export * from './turn/handled.ts'
export type { Outcome } from './turn/outcome.ts'
export * from './turn/outcome-kind.ts'
export * from './turn/plan.ts'
export * from './turn/policy.ts'
export * from './turn/swept.ts'
export * from './turn/turn.ts'
export * from './turn/unseen.ts'
export { findZone, suggestZone, type ZoneFinder } from './zone/find.ts'
export { type LocalTime, localTime } from './zone/local.ts'
export { ianaSpelling } from './zone/name.ts'
export { runtimeZoneData } from './zone/offset.ts'
export type { ZoneTable } from './zone/table.ts'
export { TABLE_END, TABLE_START, UTC, Zone } from './zone/zone.ts'
