import { dailySeed } from './daily-seed.ts'
import { dayStep } from './day-step.ts'
import { distWithoutWindow } from './dist-without-window.ts'
import { dstGap } from './dst-gap.ts'
import type { EntryRule, ScheduleRule } from './finding.ts'
import { littleRoom } from './little-room.ts'
import { noDeadline } from './no-deadline.ts'
import { overlappingWindows } from './overlapping-windows.ts'
import { relativeCommand } from './relative-command.ts'
import { shellSyntax } from './shell-syntax.ts'
import { wideStep } from './wide-step.ts'

/** Every rule under the name that its warnings carry. */
export const SCHEDULE_RULES: Readonly<Record<string, ScheduleRule>> = {
  'little-room': littleRoom,
  'overlapping-windows': overlappingWindows,
  'dst-gap': dstGap,
  'daily-seed': dailySeed,
  'no-deadline': noDeadline,
}

export const ENTRY_RULES: Readonly<Record<string, EntryRule>> = {
  'day-step': dayStep,
  'relative-command': relativeCommand,
  'shell-syntax': shellSyntax,
  'wide-step': wideStep,
  'dist-without-window': distWithoutWindow,
}
