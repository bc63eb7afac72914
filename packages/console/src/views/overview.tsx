import { outcomeText } from '@kron/core'
import { useEffect } from 'preact/hooks'
import type { OverviewRecord, PauseRecord, ProblemRecord, RunningRecord } from '../api/records.ts'
import { DaemonActions } from '../components/actions.tsx'
import { Agenda } from '../components/agenda.tsx'
import { Badge } from '../components/badge.tsx'
import { Figure } from '../components/figure.tsx'
import { NoJobs } from '../components/no-jobs.tsx'
import { Loading, Problem } from '../components/notice.tsx'
import { PauseText } from '../components/pause-text.tsx'
import { useWorld, zoneOf } from '../context.ts'
import { useSecond } from '../model/clock.ts'
import {
  countText,
  momentText,
  nameOf,
  percentText,
  relativeText,
  spanText,
  type ZoneName,
} from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { nextStart } from '../model/next-start.ts'
import { useAnswer } from '../model/use-answer.ts'
import type { World } from '../model/world.ts'
import { jobRoute, printRoute, type ViewParameters } from '../route.ts'

/** Is anything wrong? What runs now? What runs next? */
export function Overview({ parameters }: { readonly parameters: ViewParameters }) {
  const world = useWorld()
  const zone = zoneOf(parameters)
  const now = useSecond(world)
  const { value, problem } = useAnswer<OverviewRecord>('overview', {}, world.answersVersion)
  useEffect(() => value && world.noticePauses(value.pauses), [value])
  if (value === undefined) return problem === undefined ? <Loading /> : <Problem problem={problem} />
  if (world.status?.jobs === 0) return <NoJobs total={0} shown="all" query="" />
  const paused = value.pauses.some(each => each.identity === null)
  return (
    <section class="page overview" aria-label="Overview">
      <header class="page-head">
        <Verdict overview={value} />
        <DaemonActions paused={paused} />
      </header>
      <DaemonProblems overview={value} zone={zone} now={now} />
      <Problems overview={value} zone={zone} now={now} />
      <Figures overview={value} next={soonest(world)} now={now} />
      <div class="two wide-right">
        <Running running={[...world.running.values()]} now={now} />
        <Agenda zone={zone} />
      </div>
      <Pauses pauses={value.pauses} zone={zone} now={now} />
    </section>
  )
}

interface PartProps {
  readonly overview: OverviewRecord
  readonly zone: ZoneName
  readonly now: number
}

function Verdict({ overview }: { readonly overview: OverviewRecord }) {
  const { problemCount, refusedReload, refusedFiles, startsStopped } = overview
  const daemon = refusedReload !== null || refusedFiles.length > 0 || startsStopped
  if (problemCount === 0 && !daemon) return <h1 class="verdict-line good">✓ All is well</h1>
  const jobs =
    problemCount === 0
      ? 'krond needs attention'
      : problemCount === 1
        ? '1 job needs attention'
        : `${countText(problemCount)} jobs need attention`
  return <h1 class="verdict-line bad">✕ {jobs}</h1>
}

/** Troubles of krond itself come before those of jobs. */
function DaemonProblems({ overview, zone, now }: PartProps) {
  const { startsStopped, refusedReload, refusedFiles } = overview
  const lines: string[] = []
  if (startsStopped)
    lines.push('krond starts no job: its state directory has no room left, or cannot be written.')
  if (refusedReload !== null)
    lines.push(
      `A reload was refused ${relativeText(secondsOf(refusedReload.at) ?? now, now)} (${momentText(secondsOf(refusedReload.at) ?? now, zone)}) because of ${refusedReload.mistakes} mistake${refusedReload.mistakes === 1 ? '' : 's'}: the old job files are in force. krontab lint names them.`,
    )
  if (refusedFiles.length > 0) lines.push(`Left out because of mistakes: ${refusedFiles.join(', ')}`)
  if (lines.length === 0) return null
  return (
    <ul class="panel alarms" role="alert">
      {lines.map(line => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function Problems({ overview: { problems, problemCount }, zone, now }: PartProps) {
  if (problems.length === 0) return null
  return (
    <article class="panel problems" aria-label="Problems">
      <h2>Problems</h2>
      <ol>
        {problems.map(each => (
          <ProblemRow key={each.identity} problem={each} zone={zone} now={now} />
        ))}
      </ol>
      {problemCount > problems.length && (
        <p class="faint">
          and {countText(problemCount - problems.length)} more:{' '}
          <a href={printRoute('jobs', { show: 'failing' })}>all failing jobs</a>
        </p>
      )}
    </article>
  )
}

function ProblemRow({ problem, zone, now }: { problem: ProblemRecord; zone: ZoneName; now: number }) {
  const { identity, name, kind, count, since, last } = problem
  const begun = secondsOf(since) ?? now
  return (
    <li>
      <Badge kind={kind} />
      <a href={jobRoute(identity, last.runId === null ? {} : { run: last.runId })} title={identity}>
        {name}
      </a>
      <span>{outcomeText(last)}</span>
      <span class="faint" title={`${momentText(begun, zone)} ${zone}`}>
        {count === 1 ? 'once' : `${countText(count)} times`} since {momentText(begun, zone)} (
        {spanText(now - begun)})
      </span>
    </li>
  )
}

interface NextStart {
  readonly name: string
  readonly at: number
}

function soonest(world: World): NextStart | undefined {
  let first: NextStart | undefined
  for (const job of world.jobs) {
    const at = nextStart(job, world.now())
    if (at !== undefined && (first === undefined || at < first.at)) first = { name: job.name, at }
  }
  return first
}

interface FiguresProps {
  readonly overview: OverviewRecord
  readonly next: NextStart | undefined
  readonly now: number
}

function Figures({ overview: { lastDay }, next, now }: FiguresProps) {
  const { succeeded, failed, executions, missed } = lastDay
  const { medianLatenessSeconds: median, largestLatenessSeconds: largest } = lastDay
  return (
    <div class="figures">
      <Figure
        label="success rate, last day"
        value={percentText(succeeded, succeeded + failed)}
        note={`${countText(executions)} runs, ${countText(failed)} failed`}
      />
      <Figure
        label="largest lateness, last day"
        value={largest === null ? '–' : latenessText(largest)}
        note={median === null ? 'no run yet' : `median ${latenessText(median)}`}
      />
      <Figure
        label="missed, last day"
        value={countText(missed)}
        note="periods that could not start in time"
      />
      <Figure
        label="next start"
        value={next === undefined ? '–' : relativeText(next.at, now)}
        note={next?.name ?? 'nothing is planned'}
      />
    </div>
  )
}

/** Times are kept in whole seconds. */
const latenessText = (seconds: number): string => (seconds < 1 ? 'under 1s' : spanText(seconds))

function Running({ running, now }: { readonly running: readonly RunningRecord[]; readonly now: number }) {
  const oldestFirst = running.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
  return (
    <article class="panel" aria-label="Running now">
      <h2>Running now</h2>
      {running.length === 0 ? (
        <p class="faint">Nothing runs at the moment.</p>
      ) : (
        <ol class="running">
          {oldestFirst.slice(0, 100).map(each => (
            <li key={each.executionId}>
              <Badge kind="running" />
              <a href={jobRoute(each.identity, { run: each.executionId })} title={each.identity}>
                {nameOf(each.identity)}
              </a>
              <span class="faint">
                {spanText(Math.max(0, now - (secondsOf(each.startedAt) ?? now)))}
                {each.trigger === 'manual' && ', started by hand'}
              </span>
            </li>
          ))}
        </ol>
      )}
    </article>
  )
}

function Pauses(props: { pauses: readonly PauseRecord[]; zone: ZoneName; now: number }) {
  const { pauses, zone, now } = props
  if (pauses.length === 0) return null
  return (
    <article class="panel" aria-label="Pauses">
      <h2>Pauses, present and planned</h2>
      <ul class="pauses">
        {pauses.map(pause => (
          <li key={pause.id}>
            {pause.identity === null ? (
              <b>all jobs</b>
            ) : (
              <a href={jobRoute(pause.identity)}>{nameOf(pause.identity)}</a>
            )}{' '}
            <PauseText pause={pause} zone={zone} now={now} />
          </li>
        ))}
      </ul>
    </article>
  )
}
