import { OUTCOME_STYLES } from '@kron/core'
import { useMemo, useState } from 'preact/hooks'
import type { JobRecord } from '../api/records.ts'
import { NoJobs } from '../components/no-jobs.tsx'
import { Loading, Problem } from '../components/notice.tsx'
import { Segments } from '../components/segments.tsx'
import { Sparkline } from '../components/sparkline.tsx'
import { StateBadge } from '../components/state-badge.tsx'
import { useWorld, zoneOf } from '../context.ts'
import { useSecond } from '../model/clock.ts'
import { countText, momentText, percentText, relativeText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { SHOWN, shownOf } from '../model/job-filter.ts'
import {
  COLUMNS,
  type Column,
  type Order,
  ordered,
  parseOrder,
  printOrder,
  TITLES,
} from '../model/job-order.ts'
import { jobState } from '../model/job-state.ts'
import { nextStart } from '../model/next-start.ts'
import { useRows } from '../model/use-rows.ts'
import type { World } from '../model/world.ts'
import { amend, jobRoute, type ViewParameters } from '../route.ts'

const AT_ONCE = 200

/** All jobs as a table that can be sorted and filtered. */
export function Jobs({ parameters }: { readonly parameters: ViewParameters }) {
  const world = useWorld()
  const zone = zoneOf(parameters)
  const now = useSecond(world)
  const { rows, head, searching } = useRows(world, parameters)
  const order = parseOrder(parameters['sort'])
  const [shownRows, setShownRows] = useState(AT_ONCE)
  const sorted = useMemo(() => ordered(world, rows, order), [rows, printOrder(order), world.answersVersion])
  const shown = shownOf(parameters)
  if (world.problem !== undefined && world.jobs.length === 0) return <Problem problem={world.problem} />
  if (searching || (world.loading && world.jobs.length === 0)) return <Loading />
  return (
    <section class="page jobs" aria-label="Jobs">
      <div class="toolbar">
        <Segments
          legend="Show"
          choices={SHOWN.map(each => ({ name: each, value: each }))}
          chosen={shown}
          onChoose={each => amend({ show: each === 'all' ? undefined : each })}
        />
        <span class="faint">{head}</span>
      </div>
      {sorted.length === 0 ? (
        <NoJobs total={world.jobs.length} shown={shown} query={parameters['q'] ?? ''} />
      ) : (
        <div class="scroll-x panel">
          <table class="job-table">
            <thead>
              <tr>
                {COLUMNS.map(each => (
                  <Head key={each} column={each} order={order} />
                ))}
              </tr>
            </thead>
            <tbody>
              {sorted.slice(0, shownRows).map(job => (
                <Row key={job.identity} job={job} world={world} zone={zone} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {sorted.length > shownRows && (
        <p class="more">
          <button type="button" onClick={() => setShownRows(old => old + AT_ONCE)}>
            Show {Math.min(AT_ONCE, sorted.length - shownRows)} more of {countText(sorted.length)}
          </button>
        </p>
      )}
    </section>
  )
}

function Head({ column, order }: { column: Column; order: Order }) {
  const current = order.column === column
  const descending = current && !order.descending
  return (
    <th scope="col" aria-sort={current ? (order.descending ? 'descending' : 'ascending') : undefined}>
      <button type="button" class="quiet" onClick={() => amend({ sort: printOrder({ column, descending }) })}>
        {TITLES[column]} <span aria-hidden="true">{current ? (order.descending ? '▾' : '▴') : ''}</span>
      </button>
    </th>
  )
}

function Row(props: { job: JobRecord; world: World; zone: ZoneName; now: number }) {
  const { job, world, zone, now } = props
  const last = world.lastOf(job)
  const next = nextStart(job, now)
  const at = secondsOf(last?.at)
  const { runs, succeeded, durationsMs } = job.recent ?? { runs: 0, succeeded: 0, durationsMs: [] }
  return (
    <tr>
      <td>
        <StateBadge state={jobState(world, job)} last={last?.kind} />
      </td>
      <th scope="row">
        <a href={jobRoute(job.identity)} title={job.identity}>
          {job.name}
        </a>
        {job.description !== '' && <span class="faint description">{job.description}</span>}
      </th>
      <td
        title={at === undefined ? '' : `${OUTCOME_STYLES[last!.kind].word} ${momentText(at, zone)} ${zone}`}
      >
        {at === undefined ? <span class="faint">never</span> : relativeText(at, now)}
      </td>
      <td title={next === undefined ? '' : `${momentText(next, zone)} ${zone}`}>
        {next === undefined ? <span class="faint">–</span> : relativeText(next, now)}
      </td>
      <td>
        {runs === 0 ? (
          <span class="faint">–</span>
        ) : (
          <span class="rate" title={`${succeeded} of the last ${runs} runs succeeded`}>
            <span class="meter" aria-hidden="true">
              <i style={{ width: `${(succeeded / runs) * 100}%` }} />
            </span>
            {percentText(succeeded, runs)}
          </span>
        )}
      </td>
      <td>
        <Sparkline durationsMs={durationsMs} />
      </td>
    </tr>
  )
}
