import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { runKronctl } from './main.ts'

const MANIFEST = `apiVersion: kron.io/v1alpha1
kind: KronJob
metadata: {name: backup, namespace: shop}
spec:
  schedule: "0 2 * * *"
  timezone: Europe/Paris
  window: {mode: after, duration: 2h}
  jobTemplate:
    spec: {template: {}}
`

async function kronctl(files: Record<string, string>, ...words: string[]) {
  let out = ''
  let error = ''
  const code = await runKronctl(words, {
    now: Date.parse('2026-03-01T00:00:00Z') / 1000,
    data: text => {
      out += text
    },
    out: text => {
      out += text
    },
    error: text => {
      error += text
    },
    read: file => files[file]!,
  })
  return { code, out, error }
}

describe('offline', () => {
  test('explain tells the next period, and JSON holds the whole decision', async () => {
    const text = await kronctl({ a: MANIFEST }, 'explain', '-f', 'a')
    assert.match(text.out, /^shop\/backup, period 2026-03-01T01:00:00Z\n {2}chosen {8}2026-03-01T0[12]:/)
    const json = await kronctl({ a: MANIFEST }, 'explain', '-f', 'a', '--format', 'json')
    const record = JSON.parse(json.out)
    assert.equal(record.identity, 'shop/backup')
    assert.equal(record.attempts.length, record.attemptCount)
    assert.ok(text.out.includes(record.chosenTime))
  })

  test('explain refuses a time that is no period', async () => {
    const { code, error } = await kronctl(
      { a: MANIFEST },
      'explain',
      '-f',
      'a',
      '--period',
      '2026-03-01T01:30:00Z',
    )
    assert.deepEqual([code, error], [1, 'kronctl: 2026-03-01T01:30:00Z is no nominal time of shop/backup\n'])
  })

  test('next lists as many starts as asked for', async () => {
    const { out } = await kronctl({ a: MANIFEST }, 'next', '-f', 'a', '--count', '3')
    assert.equal(out.trim().split('\n').length, 3)
  })

  test('forecast adds up to one start a day', async () => {
    const { out } = await kronctl(
      { a: MANIFEST },
      'forecast',
      '-f',
      'a',
      '--for',
      '72h',
      '--bucket',
      '24h',
      '--format',
      'json',
    )
    assert.deepEqual(
      JSON.parse(out).rows.map((row: { starts: number }) => row.starts),
      [1, 1, 1],
    )
  })
})

describe('validate', () => {
  test('says that all is well', async () => {
    assert.deepEqual(await kronctl({ a: MANIFEST }, 'validate', '-f', 'a'), {
      code: 0,
      out: '1 KronJob is valid\n',
      error: '',
    })
  })

  test('finds what the API server would drop silently, where it stands', async () => {
    const { code, error } = await kronctl(
      { a: MANIFEST.replace('duration', 'duratoin') },
      'validate',
      '-f',
      'a',
    )
    assert.equal(code, 1)
    assert.equal(error, 'a:7:35: spec.window.duratoin: unknown field "duratoin"; fields are mode, duration\n')
  })

  test('gives the messages of the engine with line and column', async () => {
    const { error } = await kronctl({ a: MANIFEST.replace('0 2 * * *', '0 24 * * *') }, 'validate', '-f', 'a')
    assert.match(error, /^a:5:13: spec\.schedule: .*24/)
  })
})

describe('convert', () => {
  const CRON_JOB = `apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop, labels: {team: a}}
spec:
  schedule: "*/15 * * * *"
  timeZone: Europe/Berlin
  concurrencyPolicy: Replace
  startingDeadlineSeconds: 600
  suspend: true
  failedJobsHistoryLimit: 5
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never}}}}
`
  test('keeps what a CronJob says', async () => {
    const { code, out, error } = await kronctl({ a: CRON_JOB }, 'convert', '-f', 'a')
    assert.equal(code, 0)
    assert.match(
      error,
      /^converted 1 CronJob; nothing is lost\n1 job: the next 50 starts, .* are those of the CronJob\n$/,
    )
    assert.deepEqual(parseAllDocuments(out)[0]!.toJS(), {
      apiVersion: 'kron.io/v1alpha1',
      kind: 'KronJob',
      metadata: { name: 'report', namespace: 'shop', labels: { team: 'a' } },
      spec: {
        schedule: '*/15 * * * *',
        timezone: 'Europe/Berlin',
        policy: { concurrency: 'replace', deadline: '10m', suspend: true },
        history: { successful: 3, failed: 5 },
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never' } } } },
      },
    })
    assert.equal((await kronctl({ b: out }, 'validate', '-f', 'b')).code, 0)
  })

  test('tells what it had to decide', async () => {
    const bare = CRON_JOB.replace(/ {2}(timeZone|startingDeadlineSeconds): .*\n/g, '')
    const { error } = await kronctl({ a: bare }, 'convert', '-f', 'a')
    assert.match(error, /no timeZone: .*\n.*no startingDeadlineSeconds: /)
  })
})

test('install prints, and does nothing else', async () => {
  assert.equal((await kronctl({}, 'install')).code, 1)
  const { out } = await kronctl({}, 'install', '--print', '--only', 'shop')
  const kinds = parseAllDocuments(out).map(each => each.get('kind'))
  assert.deepEqual(kinds.slice(0, 5), [
    'Namespace',
    'CustomResourceDefinition',
    'ServiceAccount',
    'Role',
    'RoleBinding',
  ])
})

test('a wrong command line is told with a hint', async () => {
  assert.deepEqual(await kronctl({}, 'explian'), {
    code: 2,
    out: '',
    error: 'kronctl: unknown command "explian"; did you mean explain?\n',
  })
})

test('no manifest speaks to the terminal', async () => {
  const hostile = '\\e[2J\\e]0;owned\\a\\x9b31m'
  const manifest = `apiVersion: kron.io/v1\nkind: KronJob\nmetadata: {name: "${hostile}"}\nspec: {"${hostile}": "${hostile}", schedule: "${hostile}"}\n`
  for (const words of [
    ['validate', '-f', 'm.yaml'],
    ['explain', '-f', 'm.yaml'],
    ['convert', '-f', 'm.yaml'],
    ['next', '-f', 'm.yaml', '--format', 'json'],
  ]) {
    const { out, error } = await kronctl({ 'm.yaml': manifest }, ...words)
    assert.notEqual(error, '')
    assert.doesNotMatch((out + error).replaceAll('\n', ''), /\p{Cc}/u, words.join(' '))
  }
})
