import { type Remark, Remarks } from '@kron/cli'
import { printDuration, SECOND } from '@kron/core'
import type { KnownUser } from '../crontab/crontab.ts'
import type { ImportedJob, Piece, Setting } from '../imported.ts'
import { slug } from '../name.ts'
import type { Source } from '../sources.ts'
import { readCalendar } from './calendar.ts'
import { cronOfCalendar } from './calendar-cron.ts'
import { runOfService, type ServiceRun } from './command.ts'
import { conditionsOfService } from './conditions.ts'
import { expandSpecifiers, type Specifiers } from './exec.ts'
import { longestGap } from './gap.ts'
import { settingsOfService } from './service.ts'
import { readTimeSpan } from './time-span.ts'
import { type Directive, isTrue, last, listed, readUnit } from './unit-file.ts'

/** A timer and the service it starts, each with its drop-ins. */
export interface TimerUnit {
  /** `logrotate.timer` */
  readonly name: string
  readonly timer: readonly Source[]
  readonly service: readonly Source[]
  readonly zone: string
  /** The salt of windows that differ from host to host. */
  readonly salt?: string
  /** A user of this host. */
  findUser?(name: string): KnownUser | undefined
}

const READ = new Set(
  'OnCalendar RandomizedDelaySec RandomizedOffsetSec FixedRandomDelay Persistent Unit Description Documentation AccuracySec RemainAfterElapse WantedBy RequiredBy Alias Also DefaultInstance'.split(
    ' ',
  ),
)
const nobody = (): undefined => undefined
const LONGEST_WINDOW = 744 * 3_600

/** The unit a timer starts. */
export function serviceOf(name: string, timer: readonly Source[]): string {
  return last(readUnit(timer), 'Unit')?.value ?? name.replace(/\.timer$/, '.service')
}

export function convertTimer(unit: TimerUnit): Piece[] {
  const timer = readUnit(unit.timer)
  const service = readUnit(unit.service)
  const remarks = new Remarks(unit.timer[0]!.path)
  const ofService = new Remarks(unit.service[0]?.path ?? unit.timer[0]!.path)
  const specifiers = specifiersOf(serviceOf(unit.name, unit.timer))
  for (const { key, value, line } of timer)
    if (!READ.has(key) && value !== '') remarks.lost(line, whyLost(key, value))
  const delay = delayOf(timer, remarks)
  let run: ServiceRun | undefined
  let settings: Setting[] = []
  if (unit.service.length === 0) remarks.lost(0, `there is no ${serviceOf(unit.name, unit.timer)} to run`)
  else {
    run = runOfService(service, specifiers, ofService)
    if (run !== undefined)
      settings = settingsOfService(service, specifiers, run.privileged, ofService, unit.findUser ?? nobody)
  }
  const description = last(timer, 'Description') ?? last(service, 'Description')
  if (description !== undefined)
    settings.push(['description', expandSpecifiers(description.value, specifiers) ?? description.value])
  const calendars = listed(timer, 'OnCalendar')
  const jobs = calendars.flatMap(calendar => {
    const job = run && jobOf(calendar, unit, timer, delay, run, settings, remarks)
    return job === undefined ? [] : [job]
  })
  if (jobs.length > 1)
    remarks.changed(
      calendars[1]!.line,
      `${jobs.length} OnCalendar= become as many jobs: none of them waits for another`,
    )
  const all: readonly Remark[] = [...remarks.list, ...ofService.list]
  return [
    ...all.map((remark): Piece => ({ kind: 'remark', remark })),
    ...jobs.map((job): Piece => ({ kind: 'job', job })),
  ]
}

function jobOf(
  { value, line, file }: Directive,
  unit: TimerUnit,
  timer: readonly Directive[],
  window: number,
  { command, shell }: ServiceRun,
  settings: readonly Setting[],
  remarks: Remarks,
): ImportedJob | undefined {
  const calendar = readCalendar(value)
  if (typeof calendar === 'string') return remarks.lost(line, `OnCalendar=${value}: ${calendar}`)
  const schedule = cronOfCalendar(calendar)
  if (typeof schedule === 'string') return remarks.lost(line, `OnCalendar=${value}: ${schedule}`)
  if (schedule.only.length > 0 && schedule.lastMinute * 60 + window >= 86_400)
    return remarks.lost(
      line,
      `OnCalendar=${value}: date and weekday must both match and the delay passes midnight, which a job file cannot express`,
    )
  for (const each of schedule.lost) remarks.lost(line, `OnCalendar=${value}: ${each}`)
  const zone = calendar.zone ?? unit.zone
  return {
    file,
    line,
    wish: slug(unit.name) || 'timer',
    timing: {
      cron: schedule.cron,
      zone,
      window,
      ...(unit.salt === undefined ? {} : { salt: unit.salt }),
      only: schedule.only,
      concurrency: 'forbid',
      deadline: deadlineOf(timer, schedule.cron, remarks),
    },
    command,
    shell,
    settings,
    original: { kind: 'calendar', expression: value, zone },
    conditions: conditionsOfService(settings, shell, unit.findUser ?? nobody),
  }
}

/** A minute, because systemd may start it a little late too; with Persistent= until the next start is due. */
function deadlineOf(timer: readonly Directive[], cron: string, remarks: Remarks): number {
  const persistent = last(timer, 'Persistent')
  if (!isTrue(persistent)) return 60
  const gap = longestGap(cron)
  if (gap <= LONGEST_WINDOW) return gap
  remarks.changed(
    persistent!.line,
    `Persistent=${persistent!.value}: a missed run is made up for within ${printDuration(LONGEST_WINDOW * SECOND)}, the longest deadline there is`,
  )
  return LONGEST_WINDOW
}

/** Seconds by which systemd may move a start: a random delay, and from version 258 on an offset. Both may be given. */
function delayOf(timer: readonly Directive[], remarks: Remarks): number {
  const delay = spanOf(timer, 'RandomizedDelaySec', remarks)
  const fixed = last(timer, 'FixedRandomDelay')
  if (delay > 0 && isTrue(fixed)) remarks.changed(fixed!.line, `FixedRandomDelay: ${ONE_FOR_ALL_PERIODS}`)
  const offset = spanOf(timer, 'RandomizedOffsetSec', remarks)
  const line = last(timer, 'RandomizedOffsetSec')?.line
  if (offset > 0) remarks.changed(line!, `RandomizedOffsetSec: ${ONE_FOR_ALL_PERIODS}`)
  if (delay + offset <= LONGEST_WINDOW) return delay + offset
  remarks.lost(
    line!,
    `RandomizedDelaySec= and RandomizedOffsetSec= together are longer than a window of 744h`,
  )
  return delay
}

const ONE_FOR_ALL_PERIODS =
  'systemd draws one delay a machine, Kron one a machine and period; both are the same after a restart'

function spanOf(timer: readonly Directive[], key: string, remarks: Remarks): number {
  const directive = last(timer, key)
  if (directive === undefined) return 0
  const seconds = readTimeSpan(directive.value)
  if (seconds !== undefined && seconds <= LONGEST_WINDOW) return Math.floor(seconds)
  remarks.lost(directive.line, `${key}=${directive.value} is no window of at most 744h`)
  return 0
}

function whyLost(key: string, value: string): string {
  const said = `${key}=${value}`
  if (/^On(?:Boot|Startup|Active|UnitActive|UnitInactive)Sec$/.test(key))
    return `${said}: it counts from an event, Kron from the calendar; use the service manager, or write a schedule`
  if (key === 'WakeSystem') return `${said}: krond does not wake a sleeping machine`
  return `${said} has no counterpart`
}

/** The values of `%i` and similar specifiers in a service. */
function specifiersOf(service: string): Specifiers {
  const name = service.replace(/\.service$/, '')
  const at = name.indexOf('@')
  const instance = at < 0 ? '' : name.slice(at + 1)
  const unescaped = instance
    .replaceAll('-', '/')
    .replace(/\\x([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return {
    n: service,
    N: name,
    p: at < 0 ? name : name.slice(0, at),
    i: instance,
    I: unescaped,
    j: (at < 0 ? name : name.slice(0, at)).split('-').at(-1)!,
  }
}
