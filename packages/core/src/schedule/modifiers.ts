import type { Distribution } from '../distribution/distribution.ts'
import { readDistribution } from '../distribution/parameters.ts'
import { quote } from '../error/fault.ts'
import type { Seed, SeedStrategy } from '../seed/seed.ts'
import { HOUR, parseDuration } from '../time/duration.ts'
import { DEFAULT_POLICY, type Policy } from '../turn/policy.ts'
import { findZone, suggestZone, type ZoneFinder } from '../zone/find.ts'
import type { Zone } from '../zone/zone.ts'
import { type Argument, type Faults, keyAndValue } from './argument.ts'
import type { Window, WindowMode } from './window.ts'

const LONGEST_WINDOW = 744 * HOUR
const LONGEST_DEADLINE = 744 * HOUR

const MODES: Readonly<Record<string, WindowMode>> = {
  after: 'after',
  around: 'around',
  center: 'around',
  before: 'before',
}
const STRATEGIES: readonly string[] = ['stable', 'daily', 'weekly'] satisfies SeedStrategy[]
const CONCURRENCIES: readonly string[] = ['allow', 'forbid', 'replace'] satisfies Policy['concurrency'][]

export function readZone(name: Argument, faults: Faults, find: ZoneFinder = findZone): Zone | undefined {
  const zone = find(name.text)
  if (zone !== undefined) return zone
  const close = suggestZone(name.text, find)
  const hint = close === undefined ? 'write an IANA name such as Europe/Paris' : `did you mean ${close}?`
  return faults.syntax(name, `unknown time zone ${quote(name.text)}`, hint)
}

export function readWindow(
  mode: Argument,
  duration: Argument | undefined,
  faults: Faults,
): Window | undefined {
  if (duration === undefined) {
    const message = `expected a mode and a duration, found only ${quote(mode.text)}`
    return faults.syntax(mode, message, 'write for example after,2h')
  }
  const known = Object.hasOwn(MODES, mode.text) ? MODES[mode.text] : undefined
  if (known === undefined) {
    faults.syntax(mode, `unknown window mode ${quote(mode.text)}`, 'modes are after, around and before')
  }
  const length = readLimited('window', duration, LONGEST_WINDOW, faults)
  return known === undefined || length === undefined ? undefined : { mode: known, duration: length }
}

function readLimited(what: string, text: Argument, longest: number, faults: Faults): number | undefined {
  const length = faults.take(text, parseDuration(text.text))
  if (length === undefined || length <= longest) return length
  return faults.meaning(text, `the ${what} ${quote(text.text)} is longer than 31 days`, 'write at most 744h')
}

export function readDist(pieces: readonly Argument[], faults: Faults): Distribution | undefined {
  return readDistribution(pieces[0]!, pieces.slice(1), faults)
}

export function readSeed(pieces: readonly Argument[], faults: Faults): Seed | undefined {
  const [strategy, ...rest] = pieces as [Argument, ...Argument[]]
  const before = faults.list.length
  if (!STRATEGIES.includes(strategy.text)) {
    const hint = `strategies are ${STRATEGIES.join(', ')}`
    faults.syntax(strategy, `unknown seed strategy ${quote(strategy.text)}`, hint)
  }
  let salt: string | undefined
  for (const argument of rest) {
    const { key, value } = keyAndValue(argument)
    if (key.text !== 'salt') {
      faults.syntax(key, `unknown seed parameter ${quote(key.text)}`, 'the one parameter is salt=text')
    } else if (value === undefined) {
      faults.syntax(argument, 'salt has no value', 'write salt=text or salt="some text"')
    } else if (salt !== undefined) faults.syntax(key, 'salt is given twice', 'keep one of them')
    else salt = readSalt(value, faults)
  }
  if (faults.list.length > before) return undefined
  return { strategy: strategy.text as SeedStrategy, salt: salt ?? '' }
}

function readSalt(value: Argument, faults: Faults): string | undefined {
  if (!value.text.startsWith('"')) {
    if (/^[^"\\]*$/.test(value.text)) return value.text
    const hint = 'write salt="…" with \\" and \\\\ inside'
    return faults.syntax(value, `the salt ${quote(value.text)} needs quotes`, hint)
  }
  const match = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value.text)
  if (match !== null) return match[1]!.replace(/\\(["\\])/g, '$1')
  const hint = 'the only escapes are \\" and \\\\'
  return faults.syntax(value, `bad quoting in the salt ${quote(value.text)}`, hint)
}

const POLICY_KEYS = 'keys are concurrency, deadline, suspend'

export function readPolicy(pieces: readonly Argument[], faults: Faults): Policy | undefined {
  const before = faults.list.length
  const given = new Map<string, Policy[keyof Policy] | undefined>()
  for (const argument of pieces) {
    const { key, value } = keyAndValue(argument)
    if (value === undefined || value.text === '') {
      faults.syntax(argument, `expected key=value, found ${quote(argument.text)}`, POLICY_KEYS)
    } else if (given.has(key.text)) faults.syntax(key, `${key.text} is given twice`, 'keep one of them')
    else given.set(key.text, readRule(key, value, faults))
  }
  return faults.list.length > before ? undefined : { ...DEFAULT_POLICY, ...Object.fromEntries(given) }
}

function readRule(key: Argument, value: Argument, faults: Faults): Policy[keyof Policy] | undefined {
  const refused = (hint: string) => faults.syntax(value, `${key.text} cannot be ${quote(value.text)}`, hint)
  switch (key.text) {
    case 'concurrency':
      if (CONCURRENCIES.includes(value.text)) return value.text as Policy['concurrency']
      return refused('it is allow, forbid or replace')
    case 'suspend':
      if (value.text === 'true' || value.text === 'false') return value.text === 'true'
      return refused('it is true or false')
    case 'deadline':
      return readLimited('deadline', value, LONGEST_DEADLINE, faults)
    default:
      return faults.syntax(key, `unknown policy ${quote(key.text)}`, POLICY_KEYS)
  }
}
