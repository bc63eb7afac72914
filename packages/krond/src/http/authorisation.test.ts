import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ControlAnswer, parseJobFile } from '@kron/host'
import { WatchedMachine } from '@kron/testkit/krond/http/watched-machine'
import { AuditLog } from '../api/audit.ts'
import { Operations } from '../api/operations.ts'
import { ScopedTokens } from '../api/scoped-tokens.ts'
import type { Scope, Viewer } from '../api/viewer.ts'
import { answerApi } from '../control/control-api.ts'
import type { Actions } from '../driver/action.ts'
import { ROUTES, type Route } from './routes.ts'
import { Slices } from './slices.ts'
import { Token } from './token.ts'

const SECRET = 'a-secret-that-is-long-enough'
const OWNER = 1_000
/** The first run of the daemon: one of the job `alices`. */
const RUN = 'execution-1'
const LINES = [
  '0 0 1 1 * name=alices command="/usr/bin/backup --password hush" env=KEY=hush',
  '0 0 1 1 * name=bobs command=/bin/true',
]
const directory = mkdtempSync(`${tmpdir()}/kron-authorisation-`)
/** Every act is allowed here; the tests only check whether a request reaches it. */
const actions: Actions = {
  trigger: async () => ({ kind: 'started', executionId: 'x', pid: 1, ended: new Promise(() => {}) }),
  pause: async ({ reason, user }) => ({
    kind: 'paused',
    pause: { id: 'p', identity: null, from: 0, until: null, reason, user, at: 0 },
  }),
  resume: async () => [],
  reset: async () => ({ kind: 'reset', forgotten: [] }),
  pauses: () => [],
}
const furtherTokens = new ScopedTokens(directory)
const operations = new Operations({
  actions: () => actions,
  reload: async () => ({ kind: 'refused', mistakes: [] }),
  prune: async () => ({ removed: [], kept: [] }),
  testNotifications: async () => [{ target: 'mail:a', event: 'failed', error: null }],
  audit: new AuditLog(directory),
  tokens: furtherTokens,
  now: () => 0,
})
const PAGE_OF_CONSOLE = { type: 'text/html', bytes: Buffer.from('<p>'), etag: '"1"', immutable: false }
const watched = new WatchedMachine(
  '2026-03-01T10:00:30Z',
  { stateToken: () => new Token(SECRET), furtherTokens, console: new Map([['/', PAGE_OF_CONSOLE]]) },
  Number.POSITIVE_INFINITY,
  {
    operations,
    owner: entry => (entry.name === 'alices' ? OWNER : OWNER + 1),
    outputs: { read: id => (id === RUN ? { pieces: [], totalBytes: 0 } : undefined) },
  },
)

const secrets = { read: '', operate: '', removed: '' }

before(async () => {
  await watched.boot(LINES)
  void watched.machine.daemon!.actions.trigger({ requestId: 'r', identity: ALICES, user: 'alice' })
  while ((await watched.machine.state('alices'))?.ManualRuns?.length !== 1) await watched.run(1)
  const root: Viewer = { kind: 'operator', uid: 0, name: 'root', from: 'test' }
  for (const [name, scope] of [
    ['read', 'read'],
    ['operate', 'operate'],
    ['removed', 'operate'],
  ] as const)
    secrets[name] = (await operations.addToken(root, { name, scope })).token
  await operations.removeToken(root, { name: 'removed' })
})
after(async () => {
  await watched.close()
  rmSync(directory, { recursive: true })
})

const ALICES = '/jobs.kron:alices'
/** Everything that answers a request: the routes of the API, and what only HTTP serves. */
interface Endpoint extends Pick<Route, 'method' | 'path' | 'parameters' | 'hidesOthersJobs'> {
  /** `open`: answered whatever token comes, because it holds no data. */
  readonly access: Route['access'] | 'open'
  readonly scope: Scope
  readonly isHttpOnly?: true
}

const httpOnly = (path: string, access: Endpoint['access']): Endpoint => ({
  ...{ method: 'GET', path, access, scope: 'read', parameters: [], isHttpOnly: true },
})
const ENDPOINTS: readonly Endpoint[] = [
  ...ROUTES,
  httpOnly('events', 'public'),
  httpOnly('/metrics', 'public'),
  httpOnly('/healthz', 'open'),
  httpOnly('/readyz', 'open'),
  httpOnly('/', 'open'),
]

const pathOf = ({ path }: Endpoint): string =>
  path.startsWith('/')
    ? path
    : `/api/v1/${path.replace('{identity}', encodeURIComponent(ALICES)).replace('{run}', RUN)}`

const INTENT = { 'x-kron-request': '1' }
const overHttp =
  (headers: () => Readonly<Record<string, string>>) =>
  (endpoint: Endpoint, query = ''): Promise<number> => {
    const given = headers()
    const intent = endpoint.method === 'POST' && !('origin' in given) ? INTENT : {}
    const path = query === '' ? pathOf(endpoint) : `${pathOf(endpoint)}?${query}`
    return statusOf(endpoint.method, path, { ...intent, ...given })
  }

/** The status alone: the feed never ends. */
const statusOf = (method: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: watched.port,
      agent: false,
      method,
      path,
      headers: { ...headers },
    }
    request(options, response => {
      resolve(response.statusCode!)
      response.destroy()
    })
      .on('error', reject)
      .end()
  })

const bearer = (secret: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${secret}` })

const overSocket =
  (viewer: Viewer, query: (endpoint: Endpoint) => string = () => '') =>
  async (endpoint: Endpoint): Promise<number> => {
    const call = { method: endpoint.method, path: `${pathOf(endpoint)}${query(endpoint)}`, body: {} }
    const answer: ControlAnswer<unknown> = await answerApi(call, viewer, watched.subject!, new Slices())
    return 'ok' in answer ? 200 : (answer.status ?? 0)
  }

const from = 'test'
const user = (uid: number): Viewer => ({ kind: 'user', uid, name: `user ${uid}`, from })
/** A list needs the name of one of the user's jobs. */
const ownJob = ({ parameters }: Endpoint): string =>
  parameters.includes('job') ? `?job=${encodeURIComponent(ALICES)}` : ''

/** The statuses for public reads, lists of all jobs, reads and acts of a job's user, acts of operators. */
type Expected = Readonly<Record<'public' | 'list' | 'owner' | 'operator', number>>

interface Caller {
  readonly ask: (endpoint: Endpoint) => Promise<number>
  readonly expected: Expected
  /** The status of what holds no data. */
  readonly open?: number
  /** For what is not public, by the scope that it needs. */
  readonly byScope?: Readonly<Record<Scope, number>>
  readonly isSocket?: true
}

const NOBODY: Expected = { public: 200, list: 200, owner: 401, operator: 401 }
const EVERYTHING: Expected = { public: 200, list: 200, owner: 200, operator: 200 }
const nothing = (status: number): Expected => ({
  ...{ public: status, list: status, owner: status, operator: status },
})
const FOREIGN = { origin: 'http://evil.example' }

const CALLERS: Readonly<Record<string, Caller>> = {
  'another local user, on the port': { ask: overHttp(() => ({})), expected: NOBODY },
  'a stolen link without its fragment, on the port': {
    ask: overHttp(() => ({ referer: 'http://127.0.0.1:7070/' })),
    expected: NOBODY,
  },
  'the token in the query, not in the header': {
    ask: endpoint => overHttp(() => ({}))(endpoint, `token=${SECRET}`),
    expected: nothing(400),
  },
  'a page of another site, without the token': {
    ask: overHttp(() => FOREIGN),
    expected: nothing(403),
    open: 403,
  },
  'a wrong token': { ask: overHttp(() => bearer('not-the-token-of-krond')), expected: nothing(401) },
  'a page of another site, with the token': {
    ask: overHttp(() => ({ ...FOREIGN, ...bearer(SECRET) })),
    expected: nothing(403),
    open: 403,
  },
  "krond's own token": { ask: overHttp(() => bearer(SECRET)), expected: EVERYTHING },
  'a token of scope `operate`': {
    ask: overHttp(() => bearer(secrets.operate)),
    expected: EVERYTHING,
    byScope: { read: 200, operate: 200, full: 403 },
  },
  'a token of scope `read`': {
    ask: overHttp(() => bearer(secrets.read)),
    expected: EVERYTHING,
    byScope: { read: 200, operate: 403, full: 403 },
  },
  'a removed token': { ask: overHttp(() => bearer(secrets.removed)), expected: nothing(401) },
  'root on the control socket': {
    ask: overSocket({ kind: 'operator', uid: 0, name: 'root', from }),
    expected: EVERYTHING,
    isSocket: true,
  },
  "the job's user on the control socket": {
    ask: overSocket(user(OWNER), ownJob),
    expected: { public: 200, list: 403, owner: 200, operator: 403 },
    isSocket: true,
  },
  'another user on the control socket': {
    ask: overSocket(user(OWNER + 1), ownJob),
    expected: { public: 404, list: 403, owner: 404, operator: 403 },
    isSocket: true,
  },
}

function wantedOf(endpoint: Endpoint, { expected, open = 200, byScope }: Caller): number {
  if (endpoint.access === 'open') return open
  if (endpoint.access !== 'public') return byScope?.[endpoint.scope] ?? expected[endpoint.access]
  const namesJob = endpoint.path.includes('{identity}') || ownJob(endpoint) !== ''
  if (endpoint.hidesOthersJobs !== true && !namesJob) return expected.list
  // A viewer who may not see a job gets 404 for it; an answer that names no job is not hidden.
  return expected.public === 404 && !namesJob ? 200 : expected.public
}

/** By endpoint, the answer to each caller, for the table in the documents. */
const table = new Map<Endpoint, string[]>()

for (const [name, caller] of Object.entries(CALLERS)) {
  for (const endpoint of ENDPOINTS) {
    const isServed = caller.isSocket !== true || endpoint.isHttpOnly !== true
    test(`${name}: ${endpoint.method} ${endpoint.path}`, async () => {
      const status = await caller.ask(endpoint)
      // An allowed request may still lack a parameter; that is not a refusal.
      const isAnswered = (code: number): boolean => [200, 400].includes(code)
      const wanted = isServed ? wantedOf(endpoint, caller) : 404
      if (wanted === 200) assert.ok(isAnswered(status), `status ${status}`)
      else assert.equal(status, wanted)
      const cell = !isServed ? 'none' : wanted === 200 ? 'yes' : `${status}`
      table.set(endpoint, [...(table.get(endpoint) ?? []), cell])
    })
  }
}

const PAGE = fileURLToPath(new URL('../../../../docs/reference/access.md', import.meta.url))

test('the table of the documents is made of these answers', () => {
  const callers = Object.keys(CALLERS)
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const page = [
    '# Who may ask what',
    '',
    'Every endpoint of krond, asked by every kind of caller. A test asks the API of a daemon for each caller and writes this',
    'page (`UPDATE_GOLDEN=1 npm test -- packages/krond/src/http/authorisation`). The job in question runs as the user',
    'of the column "the job\'s user". **yes**: answered. 401: the token is missing or wrong. 403: not allowed. 404: the',
    'caller may not know that the job exists. 400: the request is refused as it stands. none: not served on the control',
    'socket. Endpoints without a slash in front are below `/api/v1/`; `/` stands for every file of the console.',
    '',
    row(['endpoint', ...callers.map((_, i) => `${i + 1}`)]),
    row(['---', ...callers.map(() => '---')]),
    ...ENDPOINTS.map(endpoint => row([`\`${endpoint.method} ${endpoint.path}\``, ...table.get(endpoint)!])),
    '',
    ...callers.map((caller, i) => `${i + 1}. ${caller}`),
    '',
    'A caller on the port without a token sees schedules, plans and outcomes, but no command, argument, environment value',
    'or output. The same paths over the control socket answer by the uid of the caller, for which the kernel vouches.',
    'Tokens are added, listed and removed only there, by root and the user of krond ([`krontab token`](krontab.md#token)):',
    'no endpoint does it. How krond decides: [security](../guides/security.md).',
    '',
  ].join('\n')
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, page)
  assert.equal(readFileSync(PAGE, 'utf8'), page, 'run with UPDATE_GOLDEN=1')
})

test('a link without its fragment, and a token in the URL, show no more than no token', async () => {
  const path = `/api/v1/jobs/${encodeURIComponent(ALICES)}`
  const bare = await watched.get(path)
  assert.equal(bare.json<{ execution: { program: null } }>().execution.program, null)
  assert.ok(!bare.text.includes('hush'))
  assert.equal((await watched.get(`${path}?token=${SECRET}`)).status, 400)
  const full = await watched.get(path, bearer(SECRET))
  assert.equal(full.json<{ execution: { program: string } }>().execution.program, '/usr/bin/backup')
  assert.ok(!full.text.includes('hush'), 'arguments and values are never told')
})

test('a token of scope read sees the command and the audit log, and the page is told that it may not act', async () => {
  const path = `/api/v1/jobs/${encodeURIComponent(ALICES)}`
  for (const [scope, mayAct] of [
    ['read', false],
    ['operate', true],
  ] as const) {
    const job = await watched.get(path, bearer(secrets[scope]))
    const shown = job.json<{ execution: { program: string }; mayAct: boolean }>()
    assert.equal(shown.execution.program, '/usr/bin/backup')
    assert.equal(shown.mayAct, mayAct)
    const viewer = await watched.get('/api/v1/viewer', bearer(secrets[scope]))
    assert.deepEqual(viewer.json(), {
      ...{ kind: 'token', user: `token ${scope}`, maySeeOutput: true, mayAct, mayReload: false },
    })
  }
  assert.equal((await watched.get('/api/v1/audit', bearer(secrets.read))).status, 200)
})

test('a user who names an own job by a name that others use, too, does not hear of their jobs', async t => {
  const twins = new WatchedMachine('2026-03-01T10:00:30Z', {}, Number.POSITIVE_INFINITY, {
    owner: entry => (entry.path === '/alice.kron' ? OWNER : OWNER + 1),
  })
  t.after(() => twins.close())
  await twins.boot([])
  const [alices, bobs] = ['/alice.kron', '/bob.kron'].flatMap(
    path => parseJobFile('0 0 1 1 * name=backup command=/bin/true', path).entries,
  )
  await twins.machine.daemon!.reload([alices!, bobs!])
  for (const path of ['plan', 'decisions', 'schedule-files']) {
    const call = { method: 'GET', path: `/api/v1/${path}?job=backup`, body: undefined } as const
    const answer = await answerApi(call, user(OWNER), twins.subject!, new Slices())
    assert.ok('ok' in answer, JSON.stringify(answer))
    assert.ok(!JSON.stringify(answer).includes('/bob.kron'))
  }
})

test('an answer that a browser kept for one scope is not taken for that of another', async () => {
  const path = `/api/v1/jobs/${encodeURIComponent(ALICES)}`
  const etags = await Promise.all(
    [SECRET, secrets.operate, secrets.read].map(
      async secret => (await watched.get(path, bearer(secret))).headers.etag,
    ),
  )
  assert.equal(new Set(etags).size, 3)
})

test('what a token did is in the audit log under its name, and what it was refused did not happen', async () => {
  const path = `/api/v1/jobs/${encodeURIComponent(ALICES)}/trigger`
  const before = operations.auditLog(1_000).length
  const triggered = await watched.get(path, { ...INTENT, ...bearer(secrets.operate) }, 'POST')
  assert.equal(triggered.status, 200)
  const refused = await watched.get(path, { ...INTENT, ...bearer(secrets.read) }, 'POST')
  assert.equal(refused.status, 403)
  assert.match(refused.text, /scope read/)
  const log = operations.auditLog(1_000)
  assert.equal(log.length, before + 1)
  assert.deepEqual([log[0]!.who, log[0]!.action], ['token operate', 'trigger'])
})

test('a feed that a token opened ends when the token is removed', async () => {
  const root: Viewer = { kind: 'operator', uid: 0, name: 'root', from: 'test' }
  const { token } = await operations.addToken(root, { name: 'watcher', scope: 'read' })
  const options = { host: '127.0.0.1', port: watched.port, agent: false, path: '/api/v1/events' }
  let removal: Promise<unknown> | undefined
  const ended = new Promise<void>((resolve, reject) => {
    request({ ...options, headers: bearer(token) }, response => {
      response.once('data', () => {
        removal = operations.removeToken(root, { name: 'watcher' })
      })
      response.on('data', () => {})
      response.on('error', () => resolve())
      response.on('end', () => resolve())
    })
      .on('error', reject)
      .end()
  })
  await ended
  await removal
  assert.equal((await watched.get('/api/v1/events', bearer(token))).status, 401)
})
