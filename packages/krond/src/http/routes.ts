import type { Entry } from '@kron/host'
import { hasScope, type Scope, type Viewer, viewerRecord } from '../api/viewer.ts'
import { decision } from './answers/decisions.ts'
import { history } from './answers/history.ts'
import { job, jobs } from './answers/jobs.ts'
import { output } from './answers/output.ts'
import { overview } from './answers/overview.ts'
import { plan } from './answers/plan.ts'
import { running } from './answers/running.ts'
import { scheduleFiles } from './answers/schedule-files.ts'
import { status } from './answers/status.ts'
import { Query } from './query.ts'
import { Refusal } from './refusal.ts'
import type { Work } from './slices.ts'
import { findJob, operationsOf, pausesShownTo, type Subject } from './subject.ts'

export interface Asked {
  readonly parameters: URLSearchParams
  /** The JSON of a POST; undefined without one. */
  readonly body?: unknown
  readonly subject: Subject
  readonly run: <T>(work: Work<T>) => Promise<T>
  readonly viewer: Viewer
}

/**
 * The access rule of a route. `refuseByKind` applies it; docs/reference/access.md shows the result.
 *
 * - `public`: every viewer, and every token whatever its scope.
 * - `owner`: operators, tokens with the scope of the route, and users of the control socket.
 * - `operator`: operators, and tokens with the scope of the route.
 *
 * A user of the control socket must own the job that the path names: `findJob` finds no other. For paths without a job
 * see `hidesOthersJobs`.
 * `http/guard.ts` says which viewer a request over HTTP has. `anybody` comes without a token: that is possible only on a
 * port of this machine, and only without --token-file.
 */
export type Access = 'public' | 'owner' | 'operator'

interface Call extends Asked {
  readonly query: Query
  /** The job that the path names. */
  readonly entry: Entry | undefined
  readonly slot: number
  readonly runId: string
}

export interface Route {
  readonly method: 'GET' | 'POST'
  /** Below /api/v1/; `{identity}` and `{run}` stand for one segment each. */
  readonly path: string
  readonly access: Access
  /** The least scope of a token that may use the route. `public` routes do not check it. */
  readonly scope: Scope
  readonly parameters: readonly string[]
  /**
   * The answer shows a user of the control socket nothing of other users' jobs. Without this, such a user must name own
   * jobs: in the path, or in the parameter `job`.
   */
  readonly hidesOthersJobs?: true
  /** Needs the summary of all jobs that only a daemon with --listen keeps. */
  readonly isOfAllJobs?: boolean
  /** The answer changes only when something happens, so a revision number identifies its content. */
  readonly isRevised?: boolean
  readonly answer: (call: Call) => object | Promise<object>
}

const PREFIX = '/api/v1/'

/** Every JSON route of the API. */
export const ROUTES: readonly Route[] = [
  {
    ...get('status'),
    access: 'public',
    hidesOthersJobs: true,
    answer: ({ subject, viewer }) => status(subject, viewer),
  },
  {
    ...get('viewer'),
    access: 'public',
    hidesOthersJobs: true,
    answer: ({ viewer }) => viewerRecord(viewer),
  },
  {
    ...get('overview'),
    isOfAllJobs: true,
    access: 'public',
    answer: ({ subject, viewer, run }) => run(overview(subject, viewer)),
  },
  {
    ...get('running', ['job']),
    access: 'public',
    isRevised: true,
    answer: ({ subject, viewer, query, run }) => run(running(subject, viewer, query)),
  },
  {
    ...get('jobs', ['after', 'limit', 'q']),
    isOfAllJobs: true,
    access: 'public',
    isRevised: true,
    answer: ({ subject, query, viewer, run }) => run(jobs(subject, query, viewer)),
  },
  {
    ...get('jobs/{identity}'),
    access: 'public',
    isRevised: true,
    answer: ({ subject, entry, slot, viewer }) => job(subject, slot, entry!, viewer),
  },
  {
    ...get('jobs/{identity}/runs/{run}/output', ['after', 'follow']),
    access: 'owner',
    answer: ({ subject, entry, runId, query }) => output(subject, entry!, runId, query),
  },
  {
    ...get('plan', ['job', 'count', 'from']),
    access: 'public',
    answer: ({ subject, query, viewer, run }) => run(plan(subject, query, viewer)),
  },
  {
    ...get('decisions', ['job', 'period']),
    access: 'public',
    answer: ({ subject, query, viewer, run }) => run(decision(subject, query, viewer)),
  },
  {
    ...get('history', ['job', 'outcome', 'limit', 'before']),
    access: 'public',
    isRevised: true,
    answer: ({ subject, query, viewer, run }) => history(subject, query, viewer, run),
  },
  {
    ...get('forecast', ['for', 'bucket']),
    access: 'public',
    answer: ({ subject, query, run }) => subject.forecasts.answer(subject, query, run),
  },
  {
    ...get('schedule-files', ['job']),
    access: 'public',
    answer: ({ subject, query, viewer, run }) => run(scheduleFiles(subject, query, viewer)),
  },
  {
    ...get('pauses'),
    access: 'public',
    hidesOthersJobs: true,
    answer: async ({ subject, viewer, run }) => ({ pauses: await run(pausesShownTo(subject, viewer)) }),
  },
  {
    ...get('audit', ['limit']),
    access: 'operator',
    answer: ({ subject, query }) => ({
      entries: operationsOf(subject).auditLog(query.count('limit', 1, 1_000, 100)),
    }),
  },
  {
    ...post('jobs/{identity}/trigger'),
    access: 'owner',
    answer: ({ subject, viewer, entry, body }) => operationsOf(subject).trigger(viewer, entry!, body),
  },
  {
    ...post('jobs/{identity}/pause'),
    access: 'owner',
    answer: ({ subject, viewer, entry, body }) => operationsOf(subject).pause(viewer, entry, body),
  },
  {
    ...post('jobs/{identity}/resume'),
    access: 'owner',
    answer: ({ subject, viewer, entry, body }) => operationsOf(subject).resume(viewer, entry, body),
  },
  {
    ...post('jobs/{identity}/reset'),
    scope: 'full',
    access: 'owner',
    answer: ({ subject, viewer, entry, body }) => operationsOf(subject).reset(viewer, entry!, body),
  },
  {
    ...post('jobs/{identity}/notify-test'),
    access: 'owner',
    answer: ({ subject, viewer, entry, body }) =>
      operationsOf(subject).testNotifications(viewer, entry!, body),
  },
  {
    ...post('pause'),
    access: 'operator',
    answer: ({ subject, viewer, body }) => operationsOf(subject).pause(viewer, undefined, body),
  },
  {
    ...post('resume'),
    access: 'operator',
    answer: ({ subject, viewer, body }) => operationsOf(subject).resume(viewer, undefined, body),
  },
  {
    ...post('prune'),
    scope: 'full',
    access: 'operator',
    answer: ({ subject, viewer, body }) => operationsOf(subject).prune(viewer, body),
  },
  {
    ...post('reload'),
    scope: 'full',
    access: 'operator',
    answer: ({ subject, viewer, body }) => operationsOf(subject).reload(viewer, body),
  },
]

function get(path: string, parameters: readonly string[] = []) {
  return { method: 'GET', scope: 'read', path, parameters } as const
}

function post(path: string) {
  return { method: 'POST', scope: 'operate', path, parameters: [] } as const
}

export interface Found {
  readonly route: Route
  readonly identity: string | undefined
  readonly runId: string
}

/** The route of a request; refuses unknown paths and methods. */
export function findRoute(method: string, path: string): Found {
  const segments = segmentsOf(path)
  const matching = routesAt(segments)
  if (matching.length === 0)
    throw new Refusal(404, 'there is nothing here', 'the API is described in docs/reference/http-api.md')
  refuseMethod(method, path)
  const route = matching.find(each => allowed([each]).includes(method))!
  const value = (name: string): string | undefined => {
    const at = route.path.split('/').indexOf(name)
    return at < 0 ? undefined : decoded(segments[at]!)
  }
  return { route, identity: value('{identity}'), runId: value('{run}') ?? '' }
}

/** Refuses a method that the path does not support. Paths outside of the API are files. */
export function refuseMethod(method: string, path: string): void {
  const routes = routesAt(segmentsOf(path))
  const methods = routes.length === 0 ? ['GET', 'HEAD'] : allowed(routes)
  if (!methods.includes(method))
    throw new Refusal(405, `${method} is not allowed here`, `use ${methods.join(' or ')}`, methods.join(', '))
}

const segmentsOf = (path: string): readonly string[] =>
  path.startsWith(PREFIX) ? path.slice(PREFIX.length).split('/') : []

const routesAt = (segments: readonly string[]): readonly Route[] =>
  ROUTES.filter(route => matches(route.path.split('/'), segments))

const allowed = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, i) => part === segments[i] || (part.startsWith('{') && segments[i] !== ''))

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal(400, 'the identity is not percent-encoded', 'encode it as one path segment')
  }
}

/** Answers a request, if the viewer is allowed to see the answer. */
export async function answer({ route, identity, runId }: Found, asked: Asked): Promise<object> {
  const { subject, viewer, parameters, run } = asked
  refuseByKind(route, viewer)
  if (
    subject.isForgetful &&
    (route.isOfAllJobs === true || (route.path === 'history' && !parameters.has('job')))
  )
    throw new Refusal(
      404,
      'this krond keeps no overview of all jobs',
      'start it with --listen, or name a job',
    )
  const query = new Query(parameters, route.parameters)
  const named = identity === undefined ? undefined : await run(findJob(subject, identity, viewer))
  if (named === undefined && route.hidesOthersJobs !== true && viewer.kind === 'user')
    await refuseOthersJobs(asked, viewer)
  return route.answer({ ...asked, query, entry: named?.entry, slot: named?.slot ?? -1, runId })
}

const TOKEN_HINT =
  'send Authorization: Bearer with the token in the state directory, or ask as root over the control socket'

function refuseByKind({ access, scope }: Route, viewer: Viewer): void {
  if (access === 'public' || viewer.kind === 'operator') return
  if (viewer.kind === 'anybody') throw new Refusal(401, 'a token is needed', TOKEN_HINT)
  if (viewer.kind === 'token' && !hasScope(viewer, scope)) throw scopeRefusal(scope, viewer.scope)
  if (viewer.kind === 'user' && access === 'operator')
    throw new Refusal(403, "only root and krond's user may do this")
}

function scopeRefusal(needed: Scope, given: Scope): Refusal {
  const hint = needed === 'full' ? "krond's own token may" : "krond's own token, or one of scope operate, may"
  return new Refusal(403, `a token of scope ${given} may not do this`, hint)
}

async function refuseOthersJobs({ parameters, subject, run }: Asked, viewer: Viewer): Promise<void> {
  const identities = parameters.getAll('job')
  if (identities.length === 0)
    throw new Refusal(403, "only root and krond's user may see all jobs", 'name a job of yours')
  for (const identity of identities) {
    await run(findJob(subject, identity, viewer))
  }
}
