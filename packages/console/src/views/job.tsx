import type { ExplanationRecord } from '@kron/core'
import { jobPath } from '../api/client.ts'
import type { JobDetail, OutcomePage, OutcomeRecord } from '../api/records.ts'
import { JobActions } from '../components/actions.tsx'
import { Definition } from '../components/definition.tsx'
import type { Zones } from '../components/moment.tsx'
import { Loading, Problem } from '../components/notice.tsx'
import { PauseText } from '../components/pause-text.tsx'
import { Sparkline } from '../components/sparkline.tsx'
import { StateBadge } from '../components/state-badge.tsx'
import { useWorld, zoneOf } from '../context.ts'
import { Explanation } from '../job/explanation.tsx'
import { History } from '../job/history.tsx'
import { NextRuns } from '../job/next-runs.tsx'
import { EndedRun, RunningRun } from '../job/run-panel.tsx'
import { useSecond } from '../model/clock.ts'
import { percentText } from '../model/format.ts'
import { isInForce, jobState } from '../model/job-state.ts'
import { useAnswer } from '../model/use-answer.ts'
import type { World } from '../model/world.ts'
import { amend, printRoute, type ViewParameters } from '../route.ts'

const KEPT = 200

/** One job: how it is, what it printed, what was, what comes, and why then. */
export function JobPage({ parameters }: { readonly parameters: ViewParameters }) {
  const world = useWorld()
  const identity = parameters['id'] ?? ''
  const yours = zoneOf(parameters)
  const now = useSecond(world)
  const { value: job, problem } = useAnswer<JobDetail>(jobPath(identity), {}, world.answersVersion)
  const history = useAnswer<OutcomePage>('history', { job: identity, limit: KEPT }, world.answersVersion)
  if (problem !== undefined && job === undefined) return <Problem problem={problem} />
  if (job === undefined) return <Loading />
  const zones = { zone: job.timezone, yours, now }
  const { why, run } = parameters
  return (
    <section class="page job" aria-label={`Job ${job.name}`}>
      <Head job={job} world={world} {...zones} />
      <div class="job-grid">
        <div class="job-main">
          {why !== undefined && <Why job={job} period={why} {...zones} />}
          <Runs job={job} world={world} run={run} outcomes={history.value?.outcomes} {...zones} />
          <History outcomes={history.value?.outcomes} run={run} {...zones} />
        </div>
        <div class="job-side">
          <NextRuns job={job} why={why} {...zones} />
          <Definition job={job} />
        </div>
      </div>
    </section>
  )
}

function Head({ job, world, zone, now }: Zones & { readonly job: JobDetail; readonly world: World }) {
  const { runs, succeeded, durationsMs } = job.recent ?? { runs: 0, succeeded: 0, durationsMs: [] }
  return (
    <header class="job-head">
      <p class="faint">
        <a href={printRoute('jobs')}>Jobs</a> / {job.file}:{job.line}
      </p>
      <div class="page-head">
        <h1>
          {job.name} <StateBadge state={jobState(world, job)} last={world.lastOf(job)?.kind} />
        </h1>
        <JobActions job={job} />
      </div>
      {job.description !== '' && <p>{job.description}</p>}
      <p>
        <code class="schedule">{job.schedule}</code>
      </p>
      {runs > 0 && (
        <p class="job-figures">
          <span>
            {percentText(succeeded, runs)} <span class="faint">of the last {runs} runs succeeded</span>
          </span>
          <Sparkline durationsMs={durationsMs} />
        </p>
      )}
      {job.pauses.map(pause => (
        <p key={pause.id}>
          <b>{isInForce(pause, now) ? 'Paused' : 'Pause planned'}</b>{' '}
          {pause.identity === null ? 'with all jobs: ' : ''}
          <PauseText pause={pause} zone={zone} now={now} />
        </p>
      ))}
    </header>
  )
}

function Why({ job, period, zone, yours }: Zones & { readonly job: JobDetail; readonly period: string }) {
  const world = useWorld()
  const { value, problem } = useAnswer<ExplanationRecord>(
    'decisions',
    { job: job.identity, period },
    world.jobsVersion,
  )
  return (
    <div class="why">
      <button type="button" class="quiet close" onClick={() => amend({ why: undefined }, false)}>
        ✕ Close the explanation
      </button>
      {problem !== undefined && <Problem problem={problem} />}
      {value !== undefined && (
        <Explanation answer={value} schedule={job.schedule} zone={zone} yours={yours} />
      )}
    </div>
  )
}

interface RunsProps extends Zones {
  readonly job: JobDetail
  readonly world: World
  /** The run that was asked for. */
  readonly run: string | undefined
  readonly outcomes: readonly OutcomeRecord[] | undefined
}

/** The runs a reader wants to see: the one asked for, those under way, the last one that failed. */
function Runs({ job, world, run, outcomes, ...zones }: RunsProps) {
  const running = [...world.running.values()].filter(each => each.identity === job.identity)
  const asked = outcomes?.find(each => each.runId !== null && each.runId === run)
  const failure = job.lastFailure
  return (
    <>
      {asked !== undefined && <EndedRun title="Run" record={asked} {...zones} />}
      {running.map(each => (
        <RunningRun key={each.executionId} record={each} {...zones} />
      ))}
      {failure !== null && failure.runId !== asked?.runId && (
        <EndedRun title="Last failure" record={failure} {...zones} />
      )}
    </>
  )
}
