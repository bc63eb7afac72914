import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ControlAnswer } from '@kron/host'
import { WatchedMachine } from '@kron/testkit/krond/http/watched-machine'
import { AuditLog } from '../api/audit.ts'
import { Operations } from '../api/operations.ts'
import type { Viewer } from '../api/viewer.ts'
import { answerApi } from '../control/control-api.ts'
import type { Actions } from '../driver/action.ts'
import { ROUTES, type Route } from './routes.ts'
import { Slices } from './slices.ts'
import { Token } from './token.ts'

const SECRET = 'a-secret-that-is-long-enough'
const OWNER = 1_000
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
const operations = new Operations({
  actions: () => actions,
  reload: async () => ({ kind: 'refused', mistakes: [] }),
  prune: async () => ({ removed: [], kept: [] }),
  testNotifications: async () => [{ target: 'mail:a', event: 'failed', error: null }],
  audit: new AuditLog(directory),
  now: () => 0,
})
const watched = new WatchedMachine(
  '2026-03-01T10:00:30Z',
  { stateToken: () => new Token(SECRET) },
  Number.POSITIVE_INFINITY,
  { operations, owner: entry => (entry.name === 'alices' ? OWNER : OWNER + 1) },
)

before(() => watched.boot(LINES))
after(async () => {
  await watched.close()
  rmSync(directory, { recursive: true })
})

const ALICES = '/jobs.kron:alices'
const pathOf = ({ path }: Route): string =>
  `/api/v1/${path.replace('{identity}', encodeURIComponent(ALICES)).replace('{run}', 'none')}`

const INTENT = { 'x-kron-request': '1' }
const overHttp =
  (headers: Readonly<Record<string, string>>) =>
  async (route: Route, query = ''): Promise<number> => {
    const intent = route.method === 'POST' && !('origin' in headers) ? INTENT : {}
    const path = query === '' ? pathOf(route) : `${pathOf(route)}?${query}`
    return (await watched.get(path, { ...intent, ...headers }, route.method)).status
  }

const overSocket =
  (viewer: Viewer, query: (route: Route) => string = () => '') =>
  async (route: Route): Promise<number> => {
    const call = { method: route.method, path: `${pathOf(route)}${query(route)}`, body: {} }
    const answer: ControlAnswer<unknown> = await answerApi(
      call,
      viewer,
      watched.service.watched!,
      new Slices(),
    )
    return 'ok' in answer ? 200 : (answer.status ?? 0)
  }

const from = 'test'
const user = (uid: number): Viewer => ({ kind: 'user', uid, name: `user ${uid}`, from })
/** A list needs the name of one of the user's jobs. */
const ownJob = ({ isList, parameters }: Route): string =>
  isList === true && parameters.includes('job') ? `?job=${encodeURIComponent(ALICES)}` : ''

/** The callers, and the status each gets: for public reads, lists, reads and acts of a job's user, operators' acts. */
const CALLERS: Readonly<
  Record<
    string,
    { ask: (route: Route) => Promise<number>; public: number; list: number; owner: number; operator: number }
  >
> = {
  'another local user, on the port': { ask: overHttp({}), public: 200, list: 200, owner: 401, operator: 401 },
  'a stolen link without its fragment, on the port': {
    ask: overHttp({ referer: 'http://127.0.0.1:7070/' }),
    ...{ public: 200, list: 200, owner: 401, operator: 401 },
  },
  'the token in the query, not in the header': {
    ask: route => overHttp({})(route, `token=${SECRET}`),
    ...{ public: 400, list: 400, owner: 401, operator: 401 },
  },
  'a page of another site, without the token': {
    ask: overHttp({ origin: 'http://evil.example' }),
    ...{ public: 403, list: 403, owner: 403, operator: 403 },
  },
  'a wrong token': {
    ask: overHttp({ authorization: 'Bearer not-the-token-of-krond' }),
    ...{ public: 401, list: 401, owner: 401, operator: 401 },
  },
  'a page of another site, with the token': {
    ask: overHttp({ origin: 'http://evil.example', authorization: `Bearer ${SECRET}` }),
    ...{ public: 403, list: 403, owner: 403, operator: 403 },
  },
  'the token': {
    ask: overHttp({ authorization: `Bearer ${SECRET}` }),
    ...{ public: 200, list: 200, owner: 200, operator: 200 },
  },
  'root on the control socket': {
    ask: overSocket({ kind: 'operator', uid: 0, name: 'root', from }),
    ...{ public: 200, list: 200, owner: 200, operator: 200 },
  },
  "the job's user on the control socket": {
    ask: overSocket(user(OWNER), ownJob),
    ...{ public: 200, list: 403, owner: 200, operator: 403 },
  },
  'another user on the control socket': {
    ask: overSocket(user(OWNER + 1), ownJob),
    ...{ public: 404, list: 403, owner: 404, operator: 403 },
  },
}

type Expected = Readonly<Record<'public' | 'list' | 'owner' | 'operator', number>>

function wantedOf(route: Route, expected: Expected): number {
  if (route.access !== 'public') return expected[route.access]
  const namesJob = route.path.includes('{identity}') || ownJob(route) !== ''
  if (route.isList === true && !namesJob) return expected.list
  // A viewer who may not see a job gets 404 for it; an answer that names no job is not hidden.
  return expected.public === 404 && !namesJob ? 200 : expected.public
}

/** By route, the answer to each caller, for the table in the documents. */
const table = new Map<Route, string[]>()

for (const [caller, { ask, ...expected }] of Object.entries(CALLERS)) {
  for (const route of ROUTES) {
    test(`${caller}: ${route.method} ${route.path}`, async () => {
      const status = await ask(route)
      // An allowed request may still find nothing, or lack a parameter; that is not a refusal.
      const isAnswered = (code: number): boolean => [200, 400, 404].includes(code)
      const wanted = wantedOf(route, expected)
      if (wanted === 200) assert.ok(isAnswered(status), `status ${status}`)
      else assert.equal(status, wanted)
      table.set(route, [...(table.get(route) ?? []), wanted === 200 ? 'yes' : `${status}`])
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
    'Every endpoint of krond, asked by every kind of caller. A test sends these requests to the daemon and writes this',
    'page (`UPDATE_GOLDEN=1 npm test -- packages/krond/src/http/authorisation`). The job in question runs as the user',
    'of the column "the job\'s user". **yes**: answered. 401: the token is missing or wrong. 403: not allowed. 404: the',
    'caller may not know that the job exists. 400: the request is refused as it stands.',
    '',
    row(['endpoint', ...callers.map((_, i) => `${i + 1}`)]),
    row(['---', ...callers.map(() => '---')]),
    ...ROUTES.map(route => row([`\`${route.method} ${route.path}\``, ...table.get(route)!])),
    '',
    ...callers.map((caller, i) => `${i + 1}. ${caller}`),
    '',
    'A caller on the port without a token sees schedules, plans and outcomes, but no command, argument, environment value',
    'or output. The same paths over the control socket answer by the uid of the caller, for which the kernel vouches.',
    'How krond decides: [security](../guides/security.md).',
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
  const full = await watched.get(path, { authorization: `Bearer ${SECRET}` })
  assert.equal(full.json<{ execution: { program: string } }>().execution.program, '/usr/bin/backup')
  assert.ok(!full.text.includes('hush'), 'arguments and values are never told')
})
