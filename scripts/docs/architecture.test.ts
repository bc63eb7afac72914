/** Statements of docs/architecture.md that can be checked against the files of the repository. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { AFTER_A_PAUSE, DISTRIBUTION_PARAMETERS } from '@kron/core'
import { FIELDS, USAGE_KEYS } from '@kron/host'

const page = readFileSync('docs/architecture.md', 'utf8')

interface Row {
  readonly file: string
  readonly spelling: string
}

/** The files of the recipe for a new history field, with the spelling of the example in each. */
const rows: readonly Row[] = [
  ...(page.split('### A new field in the history of a job')[1] ?? '')
    .split('### A new key of job files')[0]!
    .matchAll(/^\| `([^`]+)` \| .* \| `([^`]+)` \|$/gm),
].map(([, file, spelling]) => ({ file: file!, spelling: spelling! }))

test('the recipe for a new history field names files that contain its example', () => {
  assert.ok(rows.length > 10, 'the recipe has no table')
  for (const { file, spelling } of rows)
    assert.ok(readFileSync(file, 'utf8').includes(spelling), `${file} does not contain ${spelling}`)
})

test('every file that contains the example of the recipe is in the recipe', () => {
  const spellings = [...new Set(rows.map(each => each.spelling))]
  const named = new Set(rows.map(each => each.file))
  const searched = globSync([
    'packages/{core,runtime,host,krond,krontab,console}/src/**/*.{ts,tsx}',
    'packages/shim/src/*.{c,h}',
    'packages/shim/*.md',
    'packages/krontab/golden/*.txt',
    'docs/reference/*',
    'docs/json/*.json',
  ]).filter(file => !/\.test\.tsx?$/.test(file))
  const found = searched.filter(file => {
    const text = readFileSync(file, 'utf8')
    return spellings.some(each => text.includes(each))
  })
  assert.deepEqual(found.toSorted(), [...named].toSorted())
})

test('the references of the state file and of the log name every figure of a run', () => {
  const stateFile = readFileSync('docs/reference/state-file.md', 'utf8')
  const logEvents = readFileSync('docs/reference/log-events.md', 'utf8')
  for (const [name, key] of Object.entries(USAGE_KEYS)) {
    assert.ok(stateFile.includes(`\`${key}\``), key)
    const printed = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    assert.ok(logEvents.includes(`\`${printed}\``), printed)
  }
})

test('every path of the page that begins with packages/ exists', () => {
  const paths = [...page.matchAll(/`(packages\/[^`*]+)`/g)].map(([, path]) => path!)
  assert.ok(paths.length > 50)
  assert.deepEqual(
    paths.filter(path => !existsSync(path)),
    [],
  )
})

test('the sentence about the end of a pause is the same wherever it is told', () => {
  const pages = [
    'docs/architecture.md',
    'docs/guides/operations.md',
    'docs/guides/console.md',
    'docs/reference/http-api.md',
    'docs/reference/krontab.md',
    'packages/krond/README.md',
  ]
  for (const each of pages)
    assert.ok(readFileSync(each, 'utf8').replace(/\s+/g, ' ').includes(AFTER_A_PAUSE), each)
})

const distributions = Object.keys(DISTRIBUTION_PARAMETERS)
/** Jobs with weights need a file, which these tests do not have. */
const withoutFiles = distributions.filter(name => name !== 'weights')

/** The files of the recipe for a new distribution that repeat the names, and that no other test compares with core. */
const NAMING: readonly (readonly [file: string, names: readonly string[]])[] = [
  ['packages/krontab/src/program/topics.ts', distributions],
  ['docs/guides/choosing-a-distribution.md', distributions],
  ['docs/guides/job-files.md', distributions],
  ['docs/reference/job-file.md', distributions],
  ['docs/reference/kronjob.md', distributions],
  ['vectors/README.md', withoutFiles],
  ['vectors/check.py', withoutFiles],
  ['packages/testkit/src/host/job-file/job-file.ts', withoutFiles],
  ['packages/testkit/src/scheduler/kron/random-schedule.ts', withoutFiles],
]

for (const [file, names] of NAMING)
  test(`${file} names every distribution, and the recipe names the file`, () => {
    const text = readFileSync(file, 'utf8')
    assert.deepEqual(
      names.filter(name => !new RegExp(`\\b${name}\\b`).test(text)),
      [],
    )
    assert.ok(page.includes(`\`${file}\``))
  })

for (const file of ['docs/json/decision.schema.json', 'docs/json/explain.schema.json'])
  test(`${file} lists every distribution`, () => {
    const { properties } = JSON.parse(readFileSync(file, 'utf8'))
    assert.deepEqual(properties.distribution.enum, distributions)
    assert.ok(page.includes(`\`${file}\``))
  })

for (const file of ['docs/reference/job-file.md', 'docs/guides/job-files.md'])
  test(`${file} names every key of job files`, () => {
    const text = readFileSync(file, 'utf8')
    assert.deepEqual(
      Object.keys(FIELDS).filter(key => !new RegExp(`\\b${key}=|\`${key}\``).test(text)),
      [],
    )
  })

/** Functions and constants that the page names beside a file with its whole path, in the same cell of a table. */
const named = [...page.matchAll(/`(\w+)`(?: there)? in `(packages\/[^`]+\.(?:ts|tsx|c|h))`/g)].map(
  ([, name, file]) => ({ name: name!, file: file! }),
)

test('every function that the page places in a file is there', () => {
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter(({ name, file }) => !new RegExp(`\\b${name}\\b`).test(readFileSync(file, 'utf8'))),
    [],
  )
})
