import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
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
  pauses: () => [],
}
const operations = new Operations({
  actions: () => actions,
  reload: async () => ({ kind: 'refused', mistakes: [] }),
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
  async (route: Route): Promise<number> => {
    const intent = route.method === 'POST' && !('origin' in headers) ? INTENT : {}
    return (await watched.get(pathOf(route), { ...intent, ...headers }, route.method)).status
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

for (const [caller, { ask, ...expected }] of Object.entries(CALLERS)) {
  for (const route of ROUTES) {
    test(`${caller}: ${route.method} ${route.path}`, async () => {
      const status = await ask(route)
      // An allowed request may still find nothing, or lack a parameter; that is not a refusal.
      const isAnswered = (code: number): boolean => [200, 400, 404].includes(code)
      const wanted = wantedOf(route, expected)
      if (wanted === 200) assert.ok(isAnswered(status), `status ${status}`)
      else assert.equal(status, wanted)
    })
  }
}

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
