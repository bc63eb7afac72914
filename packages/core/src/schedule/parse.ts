import { parseCron } from '../cron/parse.ts'
import { type Fault, faulty, type Parsed, parsed, quote } from '../fault.ts'
import { type Argument, Faults, splitArguments } from './argument.ts'
import {
  mergeClauses,
  readClauses,
  readDist,
  readPolicy,
  readSeed,
  readWindow,
  readZone,
  type SidedClause,
} from './modifiers.ts'
import { checkOpenPeriods } from './open-periods.ts'
import { endOfCron, type Modifier, scanModifiers } from './scan.ts'
import { DEFAULTS, type Schedule } from './schedule.ts'

/** A schedule at the start of a line, and the offset at which the rest of the line begins. */
export interface ScheduleHead {
  readonly schedule: Schedule | undefined
  readonly faults: readonly Fault[]
  readonly end: number
}

/** The whole text is a schedule: cron, then modifiers. */
export function parseSchedule(text: string): Parsed<Schedule> {
  const { schedule, faults, end } = parseScheduleHead(text)
  if (end < text.length) {
    const rest = text.slice(end)
    const message = `unexpected ${quote(rest)} after the schedule`
    return faulty([...faults, { category: 'ConfigurationError', message, at: end, length: rest.length }])
  }
  return schedule === undefined ? faulty(faults) : parsed(schedule)
}

/** Reads cron and modifiers up to the first word that is neither. */
export function parseScheduleHead(text: string): ScheduleHead {
  const faults = new Faults()
  const cronEnd = endOfCron(text)
  const cron = faults.take({ text: '', at: 0 }, parseCron(text.slice(0, cronEnd), 'kron'))
  const modifiers = scanModifiers(text, cronEnd, faults)
  const given = readModifiers(modifiers.list, faults)
  let schedule: Schedule | undefined
  if (cron !== undefined && faults.list.length === 0) {
    schedule = { cron, ...DEFAULTS, ...given }
    checkOpenPeriods(schedule, { text: text.slice(0, modifiers.end).trimEnd(), at: 0 }, faults)
  }
  const ordered = faults.list.toSorted((a, b) => a.at - b.at)
  return { schedule: ordered.length === 0 ? schedule : undefined, faults: ordered, end: modifiers.end }
}

type Given = { -readonly [K in keyof Schedule]?: Schedule[K] }

function readModifiers(modifiers: readonly Modifier[], faults: Faults): Given {
  const given: Given = {}
  const seen = new Set<string>()
  const clauses: SidedClause[] = []
  let constrained: Argument | undefined
  for (const { name, inside } of modifiers) {
    const repeatable = name.text === 'only' || name.text === 'avoid'
    if (seen.has(name.text) && !repeatable) {
      faults.syntax(marked(name), `@${name.text} is given twice`, 'keep one of them')
      continue
    }
    seen.add(name.text)
    if (inside.text === '') {
      faults.syntax(
        marked(name),
        `@${name.text}() is empty`,
        `leave it out or ${EXAMPLES[name.text] ?? 'fill it'}`,
      )
      continue
    }
    if (repeatable) {
      clauses.push(...readClauses(name.text as 'only' | 'avoid', inside, faults))
      constrained = inside
    } else readModifier(name, inside, given, faults)
  }
  if (constrained !== undefined) assign(given, 'constraints', mergeClauses(clauses, constrained, faults))
  return given
}

const EXAMPLES: Readonly<Record<string, string>> = {
  tz: 'write @tz(Europe/Paris)',
  win: 'write @win(after,2h)',
  dist: 'write @dist(normal,sigma=20m)',
  seed: 'write @seed(daily)',
  policy: 'write @policy(deadline=10m)',
  only: 'write @only(hours=9-17)',
  avoid: 'write @avoid(dow=SAT,SUN)',
}

function readModifier(name: Argument, inside: Argument, given: Given, faults: Faults): void {
  const pieces = splitArguments(inside, ',')
  switch (name.text) {
    case 'tz':
      return assign(given, 'zone', readZone(inside, faults))
    case 'win':
      if (pieces.length > 2)
        faults.syntax(pieces[2]!, `unexpected ${quote(pieces[2]!.text)} in @win`, EXAMPLES['win'])
      return assign(given, 'window', readWindow(pieces[0]!, pieces[1], faults))
    case 'dist':
      return assign(given, 'distribution', readDist(pieces, faults))
    case 'seed':
      return assign(given, 'seed', readSeed(pieces, faults))
    case 'policy':
      return assign(given, 'policy', readPolicy(pieces, faults))
    default: {
      const hint = `modifiers are ${Object.keys(EXAMPLES)
        .map(each => `@${each}`)
        .join(' ')}`
      faults.syntax(marked(name), `unknown modifier ${quote(`@${name.text}`)}`, hint)
    }
  }
}

/** A modifier's name as it stands in the line, with its `@`. */
const marked = (name: Argument): Argument => ({ text: `@${name.text}`, at: name.at })

function assign<K extends keyof Schedule>(given: Given, key: K, value: Schedule[K] | undefined): void {
  if (value !== undefined) given[key] = value
}
