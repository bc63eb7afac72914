import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { explain, explanationRecordOf, parseSchedule } from '@kron/core'
import { hostZones } from '@kron/host'
import type { OutcomePage } from '@kron/host/api'
import { type Reply, WatchedMachine } from '@kron/testkit/krond/http/watched-machine'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ROUTES } from './routes.ts'
import { Token } from './token.ts'

const LINES = [
  '* * * * * @win(after,30s) name=often command=/bin/true',
  '*/5 * * * * @win(around,4m) @dist(normal) name=bell command=/bin/true description="A bell"',
  '0 2 * * * @tz(Europe/Paris) @win(after,2h) @avoid(hours=2) name=backup command="/usr/bin/backup --password hush" env=KEY=hush',
  '* * * * * @only(hours=5) name=never command=/bin/true',
  '0 * * * * @policy(suspend=true) name=paused command=/bin/true',
]
const watched = new WatchedMachine('2026-03-01T10:00:30Z')

before(async () => {
  await watched.boot(LINES)
  await watched.run(600)
})
after(() => watched.close())

const identity = (name: string): string => `/jobs.kron:${name}`
interface Jobs {
  readonly jobs: readonly { readonly name: string }[]
  readonly next: string | null
}
interface Plan {
  readonly periods: readonly {
    readonly identity: string
    readonly chosenTime: string | null
    readonly windowStart: string
  }[]
}
interface Forecast {
  readonly buckets: readonly { readonly kron: number; readonly plain: number }[]
  readonly kron: { readonly total: number }
  readonly plain: { readonly total: number }
}

const openapi = JSON.parse(
  readFileSync(new URL('../../../../docs/reference/openapi.json', import.meta.url), 'utf8'),
)
const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema(openapi, 'openapi.json')

/** Asserts that an answer matches the OpenAPI file. */
function conforms(path: string, reply: Reply): void {
  const pointer = [
    'paths',
    path,
    'get',
    'responses',
    String(reply.status),
    'content',
    'application/json',
    'schema',
  ]
    .map(part => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/')
  const check = ajv.getSchema(`openapi.json#/${pointer}`)
  assert.ok(check, `${path} ${reply.status} is not described`)
  check(reply.json())
  assert.deepEqual(check.errors ?? [], [], `${path} ${reply.status}: ${reply.text.slice(0, 200)}`)
}

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['/api/v1/status', ''],
  ['/api/v1/viewer', ''],
  ['/api/v1/overview', ''],
  ['/api/v1/jobs', ''],
  ['/api/v1/jobs', '?limit=2'],
  ['/api/v1/jobs/{identity}', `/${encodeURIComponent(identity('backup'))}`],
  ['/api/v1/jobs/{identity}', `/${encodeURIComponent(identity('gone'))}`],
  ['/api/v1/plan', ''],
  ['/api/v1/plan', `?job=${encodeURIComponent(identity('never'))}&count=3`],
  ['/api/v1/decisions', `?job=${encodeURIComponent(identity('backup'))}`],
  ['/api/v1/decisions', `?job=${encodeURIComponent(identity('backup'))}&period=2026-03-01T00:00:00Z`],
  ['/api/v1/decisions', ''],
  ['/api/v1/history', ''],
  ['/api/v1/history', `?job=${encodeURIComponent(identity('often'))}&outcome=executed`],
  ['/api/v1/history', '?outcome=lost'],
  ['/api/v1/running', ''],
  [
    '/api/v1/jobs/{identity}/runs/{run}/output',
    `/${encodeURIComponent(identity('often'))}/runs/nothing/output`,
  ],
  ['/api/v1/pauses', ''],
  ['/api/v1/schedule-files', ''],
  ['/api/v1/schedule-files', `?job=${encodeURIComponent(identity('never'))}`],
  ['/api/v1/forecast', '?for=2h&bucket=5m'],
  ['/api/v1/forecast', '?for=2h&bucket=1s'],
]

for (const [path, rest] of EXAMPLES) {
  test(`the answer to ${path}${rest} is what the OpenAPI file says`, async () => {
    conforms(path, await watched.get(`${path.replace(/\/\{.*/, '')}${rest}`))
  })
}

test('every route is described, and every JSON path that everybody may read has an example above', () => {
  const described = Object.entries(openapi.paths as Record<string, object>).flatMap(([path, methods]) =>
    path.startsWith('/api/') && !path.endsWith('/events')
      ? Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`)
      : [],
  )
  const routes = ROUTES.map(({ method, path }) => `${method} /api/v1/${path}`)
  assert.deepEqual(described.sort(), routes.sort())
  const open = ROUTES.filter(({ method, access }) => method === 'GET' && access !== 'operator')
  assert.deepEqual(
    [...new Set(EXAMPLES.map(([path]) => path))].sort(),
    open.map(({ path }) => `/api/v1/${path}`).sort(),
  )
})

test('jobs are paged by a cursor, and searched', async () => {
  const names: string[] = []
  let after = '0'
  for (let pages = 0; pages < 10; pages++) {
    const { jobs, next } = (await watched.get(`/api/v1/jobs?limit=2&after=${after}`)).json<Jobs>()
    names.push(...jobs.map(job => job.name))
    if (next === null) break
    after = next
  }
  assert.deepEqual(names, ['often', 'bell', 'backup', 'never', 'paused'])
  const found = (await watched.get('/api/v1/jobs?q=a%20BELL')).json<Jobs>()
  assert.deepEqual(
    found.jobs.map(job => job.name),
    ['bell'],
  )
})

test('a job is told without its command and environment', async () => {
  const { text, json } = await watched.get(`/api/v1/jobs/${encodeURIComponent(identity('backup'))}`)
  const { execution } = json<{ execution: { program: null; environment: null } }>()
  assert.equal(execution.program, null)
  assert.equal(execution.environment, null)
  assert.ok(!text.includes('hush'))
})

test('a decision is, key for key, the explanation of the engine', async () => {
  const { json } = await watched.get(
    `/api/v1/decisions?job=${encodeURIComponent(identity('backup'))}&period=2026-03-02T01:00:00Z`,
  )
  const schedule = parseSchedule(
    '0 2 * * * @tz(Europe/Paris) @win(after,2h) @avoid(hours=2)',
    undefined,
    hostZones().find,
  )
  assert.ok(schedule.ok)
  const job = { identity: identity('backup'), schedule: schedule.value }
  assert.deepEqual(json(), explanationRecordOf(explain(job, Date.parse('2026-03-02T01:00:00Z') / 1_000)))
})

test('an instant that is no period of the job is refused with the period before it', async () => {
  const reply = await watched.get(
    `/api/v1/decisions?job=${encodeURIComponent(identity('backup'))}&period=2026-03-02T01:00:01Z`,
  )
  assert.equal(reply.status, 404)
  assert.match(reply.json<{ hint: string }>().hint, /2026-03-02T01:00:00Z/)
})

test('the plan of all jobs is in order and the same as of each job', async () => {
  const all = (await watched.get('/api/v1/plan?count=40')).json<Plan>().periods
  const names = ['often', 'bell', 'backup', 'never']
  const each = await Promise.all(
    names.map(name => watched.get(`/api/v1/plan?count=40&job=${encodeURIComponent(identity(name))}`)),
  )
  const merged = each
    .flatMap(reply => reply.json<Plan>().periods)
    .sort(
      (a, b) =>
        Date.parse(a.chosenTime ?? a.windowStart) - Date.parse(b.chosenTime ?? b.windowStart) ||
        (a.identity < b.identity ? -1 : 1),
    )
    .slice(0, 40)
  assert.deepEqual(all, merged)
})

test('history pages follow each other without gap or repeat, newest first', async () => {
  const whole = (await watched.get('/api/v1/history?limit=2000')).json<OutcomePage>().outcomes
  assert.ok(whole.length >= 20)
  const paged: unknown[] = []
  let before = ''
  for (let pages = 0; pages < 100; pages++) {
    const { outcomes, next } = (await watched.get(`/api/v1/history?limit=3${before}`)).json<OutcomePage>()
    paged.push(...outcomes)
    if (next === null) break
    before = `&before=${next}`
  }
  assert.deepEqual(paged, whole)
})

test('what was remembered from events is what the state files hold', async () => {
  const remembered = (await watched.get('/api/v1/history?limit=2000')).json<OutcomePage>().outcomes
  const names = ['often', 'bell', 'never']
  const query = names.map(name => `job=${encodeURIComponent(identity(name))}`).join('&')
  const stored = (await watched.get(`/api/v1/history?limit=2000&${query}`)).json<OutcomePage>().outcomes
  assert.deepEqual(remembered, stored)
})

test('troubles can be asked for alone', async () => {
  const { outcomes } = (
    await watched.get('/api/v1/history?outcome=missed,skipped,unschedulable,failed')
  ).json<OutcomePage>()
  assert.ok(outcomes.length > 0)
  assert.ok(outcomes.every(each => each.outcome === 'unschedulable'))
})

test('a forecast counts every planned start once', async () => {
  const { buckets, kron, plain } = (await watched.get('/api/v1/forecast?for=48h&bucket=1h')).json<Forecast>()
  const sum = (key: 'kron' | 'plain'): number => buckets.reduce((total, each) => total + each[key], 0)
  assert.equal(sum('kron'), kron.total)
  assert.equal(sum('plain'), plain.total)
  assert.equal(buckets.length, 48)
  // A minutely job and a five-minute job over 48 hours; windows may move a few starts over the edges.
  assert.ok(Math.abs(kron.total - (2_880 + 120 + 576 + 2)) <= 3, String(kron.total))
})

test('an answer that has not changed is not sent again', async () => {
  const first = await watched.get('/api/v1/jobs')
  const again = await watched.get('/api/v1/jobs', { 'if-none-match': first.headers.etag! })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
  await watched.run(60)
  assert.equal((await watched.get('/api/v1/jobs', { 'if-none-match': first.headers.etag! })).status, 200)
})

test('an answer that a browser kept for the token is not taken for the one without it', async t => {
  const secret = 'correct-horse-battery-staple'
  const guarded = new WatchedMachine('2026-03-01T10:00:30Z', {
    token: new Token(secret),
    isTokenRequired: false,
  })
  t.after(() => guarded.close())
  await guarded.boot(LINES)
  const path = `/api/v1/jobs/${encodeURIComponent(identity('backup'))}`
  const told = await guarded.get(path, { authorization: `Bearer ${secret}` })
  assert.match(told.text, /usr.bin.backup/)
  const again = await guarded.get(path, { 'if-none-match': told.headers.etag! })
  assert.equal(again.status, 200)
  assert.doesNotMatch(again.text, /usr.bin.backup/)
  assert.match(again.headers.vary!, /authorization/)
})

test('HEAD gives the headers of GET', async () => {
  const reply = await watched.get('/api/v1/status', {}, 'HEAD')
  assert.equal(reply.status, 200)
  assert.equal(reply.text, '')
})

test('health is told before the jobs are loaded, readiness and data are not', async () => {
  const young = new WatchedMachine('2026-03-01T10:00:30Z')
  await young.open()
  assert.equal((await young.get('/healthz')).status, 200)
  assert.equal((await young.get('/readyz')).status, 503)
  assert.equal((await young.get('/api/v1/jobs')).status, 503)
  await young.boot(LINES)
  assert.equal((await young.get('/readyz')).status, 200)
  await young.close()
})
