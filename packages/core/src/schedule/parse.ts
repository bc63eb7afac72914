import { calendarsOf } from '../constraint/named-calendar.ts'
import type { Cron } from '../cron/cron.ts'
import { parseCron } from '../cron/parse.ts'
import { weightsOf } from '../distribution/weights-file.ts'
import { type Fault, faulty, type Parsed, parsed, quote } from '../error/fault.ts'
import { suggest } from '../error/suggest.ts'
import { findZone, type ZoneFinder } from '../zone/find.ts'
import type { Zone } from '../zone/zone.ts'
import { type Argument, Faults, splitArguments } from './argument.ts'
import { mergeClauses, readClauses, type SidedClause } from './clauses.ts'
import { readDist, readPolicy, readSeed, readWindow, readZone } from './modifiers.ts'
import { checkOpenPeriods } from './open-periods.ts'
import { endOfCron, type Modifier, scanModifiers } from './scan.ts'
import { DEFAULTS, type Schedule } from './schedule.ts'

/** A schedule at the start of a line, and the offset at which the rest of the line begins. */
export interface ScheduleHead {
  readonly schedule: Schedule | undefined
  readonly faults: readonly Fault[]
  readonly end: number
}

/** The whole text is a schedule: cron, then modifiers. A text without `@tz` speaks of `zone`; `find` finds the others. */
export function parseSchedule(
  text: string,
  zone: Zone = DEFAULTS.zone,
  find: ZoneFinder = findZone,
): Parsed<Schedule> {
  const schedule = parseWholeSchedule(text, zone, find)
  if (!schedule.ok) return schedule
  if (calendarsOf(schedule.value).length > 0) {
    const hint = 'calendars work in job files; write dates=2026-12-24..2026-12-31 here'
    return needsFile(text, 'cal=', 'a calendar is a file, and this schedule has none beside it', hint)
  }
  if (weightsOf(schedule.value) === undefined) return schedule
  const hint = 'weights work in job files; write for example @dist(skewEarly) here'
  return needsFile(text, 'file=', 'weights are a file, and this schedule has none beside it', hint)
}

function needsFile(text: string, key: string, message: string, hint: string): Parsed<never> {
  const at = text.indexOf(key)
  return faulty([{ category: 'ConfigurationError', message, hint, at, length: key.length }])
}

/** The same, with calendars and weights that are still to be found. */
export function parseWholeSchedule(
  text: string,
  zone: Zone = DEFAULTS.zone,
  find: ZoneFinder = findZone,
): Parsed<Schedule> {
  const { schedule, faults, end } = parseScheduleHead(text, zone, find)
  if (end < text.length) {
    const message = `unexpected ${quote(text.slice(end))} after the schedule`
    const hint = 'a schedule is five cron fields or a macro, then modifiers such as @tz(Europe/Paris)'
    const unexpected: Fault = {
      category: 'ConfigurationError',
      message,
      hint,
      at: end,
      length: text.length - end,
    }
    return faulty([...faults, unexpected])
  }
  return schedule === undefined ? faulty(faults) : parsed(schedule)
}

/** Reads cron and modifiers up to the first word that is neither. */
export function parseScheduleHead(
  text: string,
  zone: Zone = DEFAULTS.zone,
  find: ZoneFinder = findZone,
): ScheduleHead {
  const faults = new Faults()
  const cronText = { text: text.slice(0, endOfCron(text)), at: 0 }
  const cron = faults.take(cronText, parseCron(cronText.text, 'kron'))
  const { list, end } = scanModifiers(text, cronText.text.length, faults)
  const given = readModifiers(list, faults, find)
  let schedule: Schedule | undefined
  if (cron !== undefined && faults.list.length === 0) {
    schedule = scheduleOf(cron, given, zone)
    checkOpenPeriods(schedule, { text: text.slice(0, end).trimEnd(), at: 0 }, faults)
  }
  const ordered = faults.list.toSorted((a, b) => a.at - b.at)
  return { schedule: ordered.length === 0 ? schedule : undefined, faults: ordered, end }
}

/** Field by field: an object made by spreading takes twice the room, and there may be a million. */
const scheduleOf = (cron: Cron, given: Given, zone: Zone): Schedule => ({
  cron,
  zone: given.zone ?? zone,
  window: given.window ?? DEFAULTS.window,
  distribution: given.distribution ?? DEFAULTS.distribution,
  seed: given.seed ?? DEFAULTS.seed,
  policy: given.policy ?? DEFAULTS.policy,
  constraints: given.constraints ?? DEFAULTS.constraints,
})

/** Every modifier, with an example of it. */
const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['tz', '@tz(Europe/Paris)'],
  ['win', '@win(after,2h)'],
  ['dist', '@dist(normal,sigma=20m)'],
  ['seed', '@seed(daily)'],
  ['policy', '@policy(deadline=10m)'],
  ['only', '@only(hours=9-17)'],
  ['avoid', '@avoid(dow=SAT,SUN)'],
])
/** Words of other programs for a modifier. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['window', 'win'],
  ['jitter', 'win'],
  ['splay', 'win'],
  ['random', 'win'],
  ['timezone', 'tz'],
  ['zone', 'tz'],
  ['distribution', 'dist'],
  ['spread', 'dist'],
  ['salt', 'seed'],
  ['deadline', 'policy'],
  ['concurrency', 'policy'],
  ['suspend', 'policy'],
  ['except', 'avoid'],
  ['exclude', 'avoid'],
])

function modifierHint(name: string): string {
  const meant = OTHER_WORDS.get(name.toLowerCase()) ?? suggest(name, EXAMPLES.keys())
  return meant === undefined ? KNOWN : `did you mean @${meant}, as in ${EXAMPLES.get(meant)}?`
}

const KNOWN = `modifiers are ${[...EXAMPLES.keys()].map(name => `@${name}`).join(' ')}`

type Given = { -readonly [K in keyof Schedule]?: Schedule[K] }

function readModifiers(modifiers: readonly Modifier[], faults: Faults, find: ZoneFinder): Given {
  const given: Given = {}
  const seen = new Set<string>()
  const clauses: SidedClause[] = []
  let constrained: Argument | undefined
  for (const { name, inside } of modifiers) {
    const whole = { text: `@${name.text}`, at: name.at }
    const example = EXAMPLES.get(name.text)
    if (example === undefined)
      faults.syntax(whole, `unknown modifier ${quote(whole.text)}`, modifierHint(name.text))
    else if (inside.text === '') {
      faults.syntax(whole, `${whole.text}() is empty`, `leave it out or write for example ${example}`)
    } else if (name.text === 'only' || name.text === 'avoid') {
      for (const clause of readClauses(name.text, inside, faults)) clauses.push(clause)
      constrained = inside
    } else if (seen.has(name.text)) faults.syntax(whole, `${whole.text} is given twice`, 'keep one of them')
    else readModifier(name.text, inside, given, faults, find)
    seen.add(name.text)
  }
  if (constrained !== undefined) assign(given, 'constraints', mergeClauses(clauses, constrained, faults))
  return given
}

function readModifier(name: string, inside: Argument, given: Given, faults: Faults, find: ZoneFinder): void {
  const pieces = splitArguments(inside, ',')
  if (name === 'tz') assign(given, 'zone', readZone(inside, faults, find))
  if (name === 'dist') assign(given, 'distribution', readDist(pieces, faults))
  if (name === 'seed') assign(given, 'seed', readSeed(pieces, faults))
  if (name === 'policy') assign(given, 'policy', readPolicy(pieces, faults))
  if (name === 'win') {
    const [mode, duration, unexpected] = pieces
    assign(given, 'window', readWindow(mode!, duration, faults))
    if (unexpected !== undefined)
      faults.syntax(unexpected, `unexpected ${quote(unexpected.text)}`, 'write for example @win(after,2h)')
  }
}

function assign<K extends keyof Schedule>(given: Given, key: K, value: Schedule[K] | undefined): void {
  if (value !== undefined) given[key] = value
}
