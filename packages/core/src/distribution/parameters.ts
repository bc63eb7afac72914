import { quote } from '../error/fault.ts'
import { suggest } from '../error/suggest.ts'
import { type Argument, type Faults, keyAndValue } from '../schedule/argument.ts'
import { parseDuration, printDuration } from '../time/duration.ts'
import type { Distribution } from './distribution.ts'
import { type Mean, meanName } from './normal.ts'
import { UNIFORM } from './uniform.ts'

/** The parameters that each distribution takes. */
export const DISTRIBUTION_PARAMETERS = {
  uniform: [],
  skewEarly: ['shape'],
  skewLate: ['shape'],
  normal: ['mu', 'sigma'],
  exponential: ['lambda', 'dir'],
  weights: ['file'],
} as const satisfies Record<Distribution['name'], readonly string[]>

const NAMES = Object.keys(DISTRIBUTION_PARAMETERS).join(', ')
/** Words of other programs, and of the textbooks, for a distribution. */
const OTHER_WORDS: ReadonlyMap<string, Distribution['name']> = new Map([
  ['gaussian', 'normal'],
  ['gauss', 'normal'],
  ['bell', 'normal'],
  ['random', 'uniform'],
  ['even', 'uniform'],
  ['flat', 'uniform'],
  ['early', 'skewEarly'],
  ['late', 'skewLate'],
  ['exp', 'exponential'],
  ['poisson', 'exponential'],
])
const MEANS: readonly string[] = ['nominal', 'start', 'mid', 'end'] satisfies Mean[]
const DIRECTIONS: readonly string[] = ['early', 'late']

const isName = (text: string): text is Distribution['name'] => Object.hasOwn(DISTRIBUTION_PARAMETERS, text)

/** `name[,key=value]...`: unknown, repeated and bad parameters are each reported where they stand. */
export function readDistribution(
  name: Argument,
  rest: readonly Argument[],
  faults: Faults,
): Distribution | undefined {
  if (!isName(name.text)) {
    const close =
      OTHER_WORDS.get(name.text.toLowerCase()) ?? suggest(name.text, Object.keys(DISTRIBUTION_PARAMETERS))
    const hint = close === undefined ? `distributions are ${NAMES}` : `write ${close}`
    return faults.syntax(name, `unknown distribution ${quote(name.text)}`, hint)
  }
  const before = faults.list.length
  const values = readParameters(name.text, rest, faults)
  const distribution = build(name.text, values, name, faults)
  return faults.list.length === before ? distribution : undefined
}

function readParameters(
  name: Distribution['name'],
  rest: readonly Argument[],
  faults: Faults,
): Map<string, Argument> {
  const known: readonly string[] = DISTRIBUTION_PARAMETERS[name]
  const values = new Map<string, Argument>()
  for (const argument of rest) {
    const { key, value } = keyAndValue(argument)
    const takes = known.length === 0 ? `${name} takes no parameters` : `${name} takes ${known.join(' and ')}`
    if (value === undefined || value.text === '') {
      faults.syntax(argument, `expected key=value, found ${quote(argument.text)}`, takes)
    } else if (!known.includes(key.text)) {
      faults.syntax(key, `unknown parameter ${quote(key.text)} of ${name}`, takes)
    } else if (values.has(key.text)) {
      faults.syntax(key, `parameter ${key.text} is given twice`, 'keep one of them')
    } else values.set(key.text, value)
  }
  return values
}

function build(
  name: Distribution['name'],
  values: ReadonlyMap<string, Argument>,
  whole: Argument,
  faults: Faults,
): Distribution | undefined {
  switch (name) {
    case 'uniform':
      return UNIFORM
    case 'skewEarly':
    case 'skewLate': {
      const shape = positive('shape', values, 2, faults)
      return shape === undefined ? undefined : { name, shape }
    }
    case 'exponential': {
      const lambda = positive('lambda', values, 1, faults)
      const dir = oneOf('dir', values, DIRECTIONS, faults) as 'early' | 'late' | undefined
      return lambda === undefined ? undefined : { name, lambda, dir: dir ?? 'early' }
    }
    case 'normal': {
      const mu = oneOf('mu', values, MEANS, faults) as Mean | undefined
      const sigma = spread(values.get('sigma'), faults)
      return { name, ...(mu === undefined ? {} : { mu }), ...(sigma === undefined ? {} : { sigma }) }
    }
    case 'weights': {
      const file = fileName(values.get('file'), whole, faults)
      return file === undefined ? undefined : { name, file }
    }
  }
}

function positive(
  key: string,
  values: ReadonlyMap<string, Argument>,
  fallback: number,
  faults: Faults,
): number | undefined {
  const value = values.get(key)
  if (value === undefined) return fallback
  const hint = `write for example ${key}=2`
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value.text)) {
    return faults.syntax(value, `${key} must be a number, found ${quote(value.text)}`, hint)
  }
  const n = Number(value.text)
  if (n > 0 && n < Infinity) return n
  const expected = n > 0 ? 'is too large a number' : 'must be above 0'
  return faults.meaning(value, `${key} ${expected}: ${quote(value.text)}`, hint)
}

function oneOf(
  key: string,
  values: ReadonlyMap<string, Argument>,
  choices: readonly string[],
  faults: Faults,
): string | undefined {
  const value = values.get(key)
  if (value === undefined || choices.includes(value.text)) return value?.text
  return faults.syntax(
    value,
    `${key} cannot be ${quote(value.text)}`,
    `${key} is one of ${choices.join(', ')}`,
  )
}

function spread(value: Argument | undefined, faults: Faults): number | undefined {
  if (value === undefined) return undefined
  const sigma = faults.take(value, parseDuration(value.text))
  return sigma === 0 ? faults.meaning(value, 'sigma must be above 0', 'write for example sigma=20m') : sigma
}

function fileName(value: Argument | undefined, whole: Argument, faults: Faults): string | undefined {
  const hint = 'write for example file=tariff for weights/tariff.csv'
  if (value === undefined)
    return faults.list.length > 0 ? undefined : faults.syntax(whole, 'weights need a file', hint)
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(value.text)) return value.text
  return faults.syntax(value, `${quote(value.text)} is not the name of a weights file`, hint)
}

/** Every parameter with its value, defaults included: enough to recompute a decision. */
export function parametersOf(distribution: Distribution, around: boolean): Record<string, string | number> {
  switch (distribution.name) {
    case 'uniform':
      return {}
    case 'skewEarly':
    case 'skewLate':
      return { shape: distribution.shape }
    case 'exponential':
      return { lambda: distribution.lambda, dir: distribution.dir }
    case 'normal': {
      const { sigma } = distribution
      return {
        mu: meanName(distribution, around),
        sigma: sigma === undefined ? 'window/6' : printDuration(sigma),
      }
    }
    case 'weights':
      return { file: distribution.file }
  }
}

export function printDistribution(distribution: Distribution): string {
  if (distribution.name === 'weights') return `weights,file=${distribution.file}`
  const { name, ...given } = distribution
  const parameters = Object.entries(given).map(([key, value]) => {
    return `${key}=${key === 'sigma' ? printDuration(value as number) : value}`
  })
  return [name, ...parameters].join(',')
}
