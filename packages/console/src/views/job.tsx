import { upcoming } from '@kron/core'
import type { DecisionAnswer, JobDetail, OutcomePage } from '../api/records.ts'
import { useWorld, zoneOf } from '../context.ts'
import { clockText, momentText, relativeText, type ZoneName } from '../model/format.ts'
import { jobOf } from '../model/periods.ts'
import { useAnswer } from '../model/use-answer.ts'
import { Badge } from '../parts/badge.tsx'
import { Explanation } from '../parts/explanation.tsx'
import { History } from '../parts/history.tsx'
import { Loading, Problem } from '../parts/notice.tsx'
import { jobRoute, printRoute } from '../route.ts'

const NEXT = 12

/** One job: what comes, what was, what it is, and why. */
export function JobPage({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const world = useWorld()
  const identity = parameters['id'] ?? ''
  const zone = zoneOf(parameters)
  const { value: job, problem } = useAnswer<JobDetail>(
    `jobs/${encodeURIComponent(identity)}`,
    {},
    world.pulse,
  )
  const history = useAnswer<OutcomePage>('history', { job: identity, limit: 200 }, world.pulse)
  const next = job === undefined ? [] : nextPeriods(job, world.now())
  const period = parameters['period'] || next[0]?.periodId
  const decision = useAnswer<DecisionAnswer>(
    period === undefined ? undefined : 'decisions',
    { job: identity, period },
    world.epoch,
  )
  if (problem !== undefined && job === undefined) return <Problem problem={problem} />
  if (job === undefined) return <Loading />
  const running = [...world.running.values()].filter(each => each.identity === identity)
  return (
    <section class="page job" aria-label={`Job ${job.name}`}>
      <header class="job-head">
        <p class="faint">
          <a href={printRoute('timeline')}>Timeline</a> / {job.file}:{job.line}
        </p>
        <h1>
          {job.name} {running.length > 0 && <Badge appearance="running" />}{' '}
          {job.suspended && <span class="badge">suspended</span>}
        </h1>
        <p>
          <code class="schedule">{job.schedule}</code>
        </p>
        {job.description !== '' && <p>{job.description}</p>}
      </header>
      <div class="job-grid">
        <div class="job-side">
          <NextRuns identity={identity} next={next} period={period} zone={zone} now={world.now()} />
          <Definition job={job} />
        </div>
        <div class="job-main">
          {decision.problem !== undefined && <Problem problem={decision.problem} />}
          {decision.value !== undefined && (
            <Explanation answer={decision.value} schedule={job.schedule} zone={zone} />
          )}
          <History outcomes={history.value?.outcomes} zone={zone} period={period} />
        </div>
      </div>
    </section>
  )
}

interface NextRun {
  readonly periodId: string
  readonly chosen: number | null
  readonly windowStart: number
  readonly windowEnd: number
}

/** Computed here: the engine is the same, and so is the answer. */
function nextPeriods({ identity, schedule }: JobDetail, now: number): NextRun[] {
  const job = jobOf(identity, schedule)
  if (job === undefined) return []
  const next: NextRun[] = []
  for (const { nominal, chosen, windowStart, windowEnd } of upcoming(job, now + 1)) {
    const periodId = new Date(nominal * 1_000).toISOString().replace('.000', '')
    next.push({ periodId, chosen, windowStart, windowEnd })
    if (next.length === NEXT) break
  }
  return next
}

function NextRuns(props: {
  identity: string
  next: readonly NextRun[]
  period: string | undefined
  zone: ZoneName
  now: number
}) {
  const { identity, next, period, zone, now } = props
  return (
    <article class="panel">
      <h2>Next runs</h2>
      {next.length === 0 && <p class="faint">The schedule has no further period.</p>}
      <ol class="next">
        {next.map(({ periodId, chosen, windowStart, windowEnd }) => (
          <li key={periodId}>
            <a href={jobRoute(identity, periodId)} aria-current={periodId === period ? 'true' : undefined}>
              <span>{chosen === null ? 'unschedulable' : momentText(chosen, zone)}</span>
              <span class="faint">
                {chosen === null ? '' : relativeText(chosen, now)} · {clockText(windowStart, zone)}
                {windowEnd > windowStart ? `–${clockText(windowEnd, zone)}` : ''}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </article>
  )
}

/** Long paths break after a slash or a colon, not inside a word. */
const breakable = (text: string) => text.split(/(?<=[/:])/).flatMap((part, i) => [part, <wbr key={i} />])

function Definition({ job }: { readonly job: JobDetail }) {
  const { execution, policy, window } = job
  const facts: readonly (readonly [string, string])[] = [
    ['identity', job.identity],
    ['zone', job.timezone],
    ['window', window.duration === '0s' ? 'none' : `${window.duration} ${window.mode}`],
    ['concurrency', policy.concurrency],
    ['deadline', policy.deadline],
    ['timeout', execution.timeout ?? 'none'],
    ['user', execution.user ?? "krond's own"],
    ...commandFacts(execution),
  ]
  return (
    <article class="panel">
      <h2>Definition</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{breakable(value)}</dd>
          </div>
        ))}
      </dl>
      <p class="faint">
        {execution.program === null
          ? 'Program, directory and environment are shown to whoever brings the token (--token-file).'
          : 'Arguments and values of the environment are not shown: they may be secret.'}
      </p>
    </article>
  )
}

/** Empty without the token: on an open port krond does not tell them. */
function commandFacts({
  program,
  shell,
  cwd,
  environment,
}: JobDetail['execution']): (readonly [string, string])[] {
  if (program === null || environment === null) return []
  return [
    ['program', shell ? `${program} (shell)` : program],
    ['directory', cwd ?? "krond's own"],
    ['environment', environment.length === 0 ? 'nothing added' : environment.join(', ')],
  ]
}
