import { DECISIONS_PARAMETERS, decision } from './answers/decisions.ts'
import { FORECAST_PARAMETERS, Forecasts } from './answers/forecast.ts'
import { HISTORY_PARAMETERS, history } from './answers/history.ts'
import { JOBS_PARAMETERS, job, jobs } from './answers/jobs.ts'
import { PLAN_PARAMETERS, plan } from './answers/plan.ts'
import { running } from './answers/running.ts'
import { status } from './answers/status.ts'
import { Query } from './query.ts'
import { Refusal } from './refusal.ts'
import type { Work } from './slices.ts'
import type { Subject } from './subject.ts'

export interface Asked {
  readonly path: string
  readonly parameters: URLSearchParams
  readonly subject: Subject
  readonly run: <T>(work: Work<T>) => Promise<T>
  /** Whether commands and environments may be told. */
  readonly confidential: boolean
}

type Answer = (asked: Asked) => object | Promise<object>

const PREFIX = '/api/v1/'

/** Answers that change only when something happens, so that a revision can stand for their content. */
export const isRevised = (path: string): boolean => /^\/api\/v1\/(jobs|history|running)(\/|$)/.test(path)

/** The JSON answers of the API, by path. */
export class Routes {
  private readonly forecasts = new Forecasts()
  private readonly answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
    ['status', ({ subject, parameters }) => none(parameters) && status(subject)],
    ['running', ({ subject, parameters, run }) => none(parameters) && run(running(subject))],
    ['jobs', ({ subject, parameters, run }) => run(jobs(subject, new Query(parameters, JOBS_PARAMETERS)))],
    ['plan', ({ subject, parameters, run }) => run(plan(subject, new Query(parameters, PLAN_PARAMETERS)))],
    [
      'decisions',
      ({ subject, parameters, run }) => run(decision(subject, new Query(parameters, DECISIONS_PARAMETERS))),
    ],
    [
      'history',
      ({ subject, parameters, run }) => history(subject, new Query(parameters, HISTORY_PARAMETERS), run),
    ],
    [
      'forecast',
      ({ subject, parameters, run }) =>
        this.forecasts.answer(subject, new Query(parameters, FORECAST_PARAMETERS), run),
    ],
  ])

  async answer(asked: Asked): Promise<object> {
    const name = asked.path.slice(PREFIX.length)
    const one = name.startsWith('jobs/') ? identityOf(name.slice('jobs/'.length)) : undefined
    if (one !== undefined) return asked.run(job(asked.subject, one, asked.confidential))
    const answer = this.answers.get(name)
    if (!asked.path.startsWith(PREFIX) || answer === undefined)
      throw new Refusal(404, 'there is nothing here', 'the API is described in docs/reference/http-api.md')
    return answer(asked)
  }
}

/** Refuses any parameter. */
const none = (parameters: URLSearchParams): Query => new Query(parameters, [])

function identityOf(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal(400, 'the identity is not percent-encoded', 'encode it as one path segment')
  }
}
