import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as core from '@kron/core'
import { calendarCases } from './calendar-cases.ts'
import { type DecisionInput, decisionCases } from './cases.ts'
import { fleetCases } from './fleet-cases.ts'
import { periodCases } from './period-cases.ts'
import { checkDirectory, type Report, referenceDirectory } from './runner.js'
import { weightsCases } from './weights-cases.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

interface Golden {
  readonly name: string
  readonly input: DecisionInput
  readonly expected: { readonly chosenTime: string | null; readonly attempts: number }
}

const golden = (file: string): Golden[] =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')).cases

const agrees = ({ file, failures }: Report): void => assert.deepEqual(failures, [], file)

test('the engine agrees with every golden vector', () => {
  const reports = checkDirectory(core, HERE)
  assert.deepEqual(
    reports.map(each => each.file),
    ['calendars.json', 'decisions.json', 'fleet.json', 'periods.json', 'weights.json'],
  )
  reports.forEach(agrees)
})

test('the engine agrees with the reference engine', context => {
  const directory = referenceDirectory()
  if (directory === undefined) {
    return context.diagnostic(
      'reference vectors not found: name their directory in KRON_REFERENCE_VECTORS to check them',
    )
  }
  const reports = checkDirectory(core, directory)
  assert.ok(reports.length > 0, `${directory} holds no vectors`)
  reports.forEach(agrees)
  const cases = reports.reduce((sum, each) => sum + each.cases, 0)
  context.diagnostic(`${cases} reference vectors agree`)
})

test('a golden vector that says otherwise is noticed', () => {
  const wrong = {
    ...core,
    decide: (job: core.Job, nominal: number) => core.decide({ ...job, identity: 'other' }, nominal),
  }
  const [, decisions] = checkDirectory(wrong, HERE)
  assert.ok(decisions!.failures.length > 700)
})

test('the golden files hold every case that is asked for, each under its own name', () => {
  for (const [file, cases] of [
    ['decisions.json', decisionCases()],
    ['periods.json', periodCases()],
    ['fleet.json', fleetCases()],
    ['calendars.json', calendarCases()],
    ['weights.json', weightsCases()],
  ] as const) {
    const inputs = new Map(golden(file).map(each => [each.name, each.input]))
    assert.equal(inputs.size, golden(file).length)
    for (const { name, input } of cases) assert.deepEqual(inputs.get(name), input, name)
  }
})

test('the golden decisions cover every mode, strategy, distribution, parameter and kind of constraint', () => {
  const cases = golden('decisions.json')
  assert.ok(cases.length >= 500)
  const found = (of: (input: DecisionInput) => string[]): Set<string> =>
    new Set(cases.flatMap(each => of(each.input)))
  const kinds = (clauses: readonly string[]): string[] =>
    clauses.map(each => each.slice(0, each.indexOf('=')))
  const every = ['between', 'date', 'dates', 'dom', 'dow', 'hours', 'months']
  assert.deepEqual([...found(each => [each.mode])].sort(), ['after', 'around', 'before'])
  assert.deepEqual([...found(each => [each.seedStrategy])].sort(), ['daily', 'stable', 'weekly'])
  assert.deepEqual(
    [
      ...found(each => [
        each.distribution,
        ...Object.keys(each.params).map(key => `${each.distribution}.${key}`),
      ]),
    ].sort(),
    // weights.json has the cases of `weights`.
    Object.entries(core.DISTRIBUTION_PARAMETERS)
      .filter(([name]) => name !== 'weights')
      .flatMap(([name, keys]) => [name, ...keys.map(key => `${name}.${key}`)])
      .sort(),
  )
  assert.deepEqual([...found(each => kinds(each.only))].sort(), every)
  assert.deepEqual([...found(each => kinds(each.avoid))].sort(), every)
  assert.ok(cases.filter(each => each.expected.chosenTime === null).length >= 20)
  assert.ok(cases.filter(each => each.expected.attempts > 10).length >= 20)
})
