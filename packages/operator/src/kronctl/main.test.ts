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
    write: (file, text) => {
      files[file] = text
    },
    list: path => {
      const inside = Object.keys(files).filter(each => each.startsWith(`${path}/`))
      return inside.length === 0 ? undefined : inside.map(each => each.slice(path.length + 1))
    },
  })
  return { code, out, error }
}

describe('balance', () => {
  const jobs = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [
      `deploy/${i}.yaml`,
      `# job ${i}\n${MANIFEST.replace('backup', `backup-${i}`)}`,
    ]),
  )

  test('chooses salts, writes nothing but salts, and changes nothing the second time', async () => {
    const files = { ...jobs }
    const line = ['balance', '-f', 'deploy', '--for', '24h', '--bucket', '10m']
    const { before, after, changes } = JSON.parse((await kronctl(files, ...line, '-o', 'json')).out)
    assert.ok(after.peak < before.peak, `${after.peak} of ${before.peak}`)
    assert.deepEqual(files, jobs)
    assert.match((await kronctl(files, ...line, '--write')).out, /written; apply the manifests/)
    const without = (text: string): string =>
      text.replace(/ {2}seed: { salt: "~\d+" }\n|seed: { salt: "~\d+" }\n {2}/, '')
    for (const [file, text] of Object.entries(files)) assert.equal(without(text), jobs[file])
    assert.equal(Object.entries(files).filter(([file, text]) => text !== jobs[file]).length, changes.length)
    const second = JSON.parse((await kronctl(files, ...line, '-o', 'json')).out)
    assert.deepEqual([second.changes, second.before.peak], [[], after.peak])
  })

  test('needs files', async () => {
    const { code, error } = await kronctl({}, 'balance')
    assert.deepEqual([code, error.includes('give manifests with -f')], [1, true])
  })
})

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
    assert.deepEqual([code, error], [1, 'error: 2026-03-01T01:30:00Z is no nominal time of shop/backup\n'])
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
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}
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
        jobTemplate: {
          spec: {
            template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } },
          },
        },
      },
    })
    assert.equal((await kronctl({ b: out }, 'validate', '-f', 'b')).code, 0)
  })

  test('tells what it had to decide', async () => {
    const bare = CRON_JOB.replace(/ {2}(timeZone|startingDeadlineSeconds): .*\n/g, '')
    const { error } = await kronctl({ a: bare }, 'convert', '-f', 'a')
    assert.match(error, /no timeZone: .*\n.*no startingDeadlineSeconds: /)
    const piped = await kronctl({ '-': bare }, 'convert', '-f', '-')
    assert.match(piped.error, /^standard input:1: changed: /)
  })

  test('takes what kubectl get prints, and keeps other objects with their comments', async () => {
    const inner = CRON_JOB.trimEnd().replaceAll(/^/gm, '  ').replace('  apiVersion', '- apiVersion')
    const list = `apiVersion: v1\nkind: List\nitems:\n${inner}\n`
    const other = '# the settings\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n'
    const { code, out } = await kronctl({ a: `${list}---\n${other}` }, 'convert', '-f', 'a')
    const kinds = parseAllDocuments(out).map(each => each.get('kind'))
    assert.deepEqual([code, kinds], [0, ['KronJob', 'ConfigMap']])
    assert.match(out, /# the settings/)
  })

  test('writes a schedule so that it means the same, and says so', async () => {
    const { out, error } = await kronctl(
      { a: CRON_JOB.replace('*/15 * * * *', '0 0 */1 * 1') },
      'convert',
      '-f',
      'a',
    )
    assert.match(out, /schedule: 0 0 \* \* 1/)
    assert.match(error, /schedule 0 0 \*\/1 \* 1 is written 0 0 \* \* 1/)
  })

  test('keeps a CronJob that it cannot convert, and fails', async () => {
    const { code, out, error } = await kronctl(
      { a: CRON_JOB.replace('*/15 * * * *', '@every 7m') },
      'convert',
      '-f',
      'a',
    )
    assert.deepEqual([code, parseAllDocuments(out)[0]!.get('kind')], [1, 'CronJob'])
    assert.match(error, /a:1: lost: report: not converted: spec\.schedule: @every 7m counts from the start/)
  })

  test('chooses a deadline that fits, and names every field that is lost', async () => {
    const given = CRON_JOB.replace('*/15 * * * *', '* * * * *')
      .replace('startingDeadlineSeconds: 600', 'startingDeadlineSeconds: 864000')
      .replace('labels: {team: a}', 'labels: {team: a}, finalizers: [a/b]')
    const { code, out, error } = await kronctl({ a: given }, 'convert', '-f', 'a')
    assert.equal(code, 0)
    assert.match(out, /deadline: 16h/)
    assert.match(error, /metadata\.finalizers is dropped/)
    assert.match(error, /startingDeadlineSeconds 864000 is more than fits/)
  })
})

describe('files and formats', () => {
  test('a directory stands for its manifests', async () => {
    const files = { 'd/a.yaml': MANIFEST, 'd/b.yml': MANIFEST.replace('backup', 'other'), 'd/notes.txt': 'x' }
    assert.equal((await kronctl(files, 'validate', '-f', 'd')).out, '2 KronJobs are valid\n')
    const names = await kronctl(files, 'next', '-f', 'd', '-o', 'name')
    assert.equal(names.out, 'kronjob.kron.io/shop/backup\nkronjob.kron.io/shop/other\n')
  })

  test('YAML holds the same decision as JSON', async () => {
    const json = await kronctl({ a: MANIFEST }, 'next', '-f', 'a', '-c', '1', '-o', 'json')
    const yaml = await kronctl({ a: MANIFEST }, 'next', '-f', 'a', '-c', '1', '-o', 'yaml')
    assert.deepEqual(parseAllDocuments(yaml.out)[0]!.toJS(), JSON.parse(json.out))
  })

  test("the operator's salt moves a KronJob without one, and no other", async () => {
    const next = async (text: string, ...more: string[]) =>
      (await kronctl({ a: text }, 'next', '-f', 'a', '-c', '1', ...more)).out
    const own = MANIFEST.replace('  window:', '  seed: {salt: mine}\n  window:')
    assert.notEqual(await next(MANIFEST), await next(MANIFEST, '--salt', 'cluster-7'))
    assert.equal(await next(own), await next(own, '--salt', 'cluster-7'))
  })

  test('completion prints a script for each shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      assert.match((await kronctl({}, 'completion', shell)).out, /trigger/)
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
    error: 'error: unknown command "explian"\n  hint: did you mean explain?\n',
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

describe('calendars and weights', () => {
  const manifest = MANIFEST.replace(
    '  jobTemplate',
    '  constraints: {avoid: [{cal: holidays}]}\n  jobTemplate',
  )
  const files = `apiVersion: v1
kind: ConfigMap
metadata: {name: kron-files, namespace: shop}
data:
  holidays.dates: "2026-03-02"
`

  test('come from the ConfigMap kron-files among the manifests', async () => {
    const line = ['next', '-f', 'deploy', '--count', '3', '-o', 'json']
    const found = await kronctl({ 'deploy/a.yaml': manifest, 'deploy/b.yaml': files }, ...line)
    assert.equal(found.code, 0, found.error)
    assert.equal(found.out.match(/"unschedulable": ?true/g)?.length, 1)
    assert.match(found.out, /"holidays": ?"[0-9a-f]{64}"/)
  })

  test('are a mistake where the calendar is missing, and an even spread where the weights are', async () => {
    const missing = await kronctl({ 'a.yaml': manifest }, 'next', '-f', 'a.yaml')
    assert.notEqual(missing.code, 0)
    assert.match(missing.error, /a\.yaml:\d+:\d+: spec\.constraints: there is no calendar "holidays"/)
    const weighted = MANIFEST.replace(
      '  jobTemplate',
      '  distribution: {name: weights, params: {file: x}}\n  jobTemplate',
    )
    const even = await kronctl({ 'a.yaml': weighted }, 'explain', '-f', 'a.yaml')
    assert.match(even.out, /weights {7}spread evenly: missing/)
    const nameless = await kronctl(
      { 'a.yaml': weighted.replace(', params: {file: x}', '') },
      'validate',
      '-f',
      'a.yaml',
    )
    assert.match(nameless.error, /weights need a file/)
    assert.equal((await kronctl({ 'a.yaml': manifest }, 'validate', '-f', 'a.yaml')).code, 0)
  })
})
