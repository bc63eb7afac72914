import { dailySeed } from './daily-seed.ts'
import { dayStep } from './day-step.ts'
import { distWithoutWindow } from './dist-without-window.ts'
import { dstGap } from './dst-gap.ts'
import type { EntryRule, ScheduleRule, WarningRule } from './finding.ts'
import { littleRoom } from './little-room.ts'
import { noDeadline } from './no-deadline.ts'
import { overlappingWindows } from './overlapping-windows.ts'
import { relativeCommand } from './relative-command.ts'
import { shellSyntax } from './shell-syntax.ts'
import { wideStep } from './wide-step.ts'

/** The rules about one schedule, by the name of their warnings. Rules about the host are in on-this-host.ts; report.ts calls all. */
export const SCHEDULE_RULES: ReadonlyMap<WarningRule, ScheduleRule> = new Map([
  ['little-room', littleRoom],
  ['overlapping-windows', overlappingWindows],
  ['dst-gap', dstGap],
  ['daily-seed', dailySeed],
  ['no-deadline', noDeadline],
])

/** The rules about one line of a job file, by the name of their warnings. */
export const ENTRY_RULES: ReadonlyMap<WarningRule, EntryRule> = new Map([
  ['day-step', dayStep],
  ['relative-command', relativeCommand],
  ['shell-syntax', shellSyntax],
  ['wide-step', wideStep],
  ['dist-without-window', distWithoutWindow],
])
