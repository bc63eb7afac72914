import { useMemo } from 'preact/hooks'
import { useWorld } from '../context.ts'
import { type AgendaRow, agendaOf } from '../model/agenda.ts'
import { clockText, jobsText, minuteText, relativeText, type ZoneName } from '../model/format.ts'
import { pauseEffect } from '../model/paused-job.ts'
import { jobRoute, printRoute } from '../route.ts'

const HOUR = 3_600
const MOST = 25
/** Nothing moves by more than this between two drawings. */
const STEP = 5

/** The starts of the next hour: a row for each job, a tick for each start. */
export function Agenda({ zone }: { readonly zone: ZoneName }) {
  const world = useWorld()
  const now = world.now() - (world.now() % STEP)
  const { rows, total } = useMemo(() => agendaOf(world.jobs, now, HOUR, MOST), [world.jobs, now])
  return (
    <article class="panel agenda" aria-label="Next hour">
      <header>
        <h2>Next hour</h2>
        <span class="faint">
          {minuteText(now, zone)} – {minuteText(now + HOUR, zone)} ({zone})
        </span>
      </header>
      {rows.length === 0 ? (
        <p class="faint">No job starts within the hour.</p>
      ) : (
        <ol>
          {rows.map(row => (
            <Row key={row.job.identity} row={row} now={now} zone={zone} />
          ))}
        </ol>
      )}
      {total > rows.length && (
        <p class="faint">
          and {jobsText(total - rows.length)} more:{' '}
          <a href={printRoute('jobs', { sort: 'next' })}>all jobs</a>
        </p>
      )}
    </article>
  )
}

function Row({ row: { job, starts, lost }, now, zone }: { row: AgendaRow; now: number; zone: ZoneName }) {
  const first = starts[0]
  return (
    <li>
      <a href={jobRoute(job.identity)}>{job.name}</a>
      <svg viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true">
        <line class="track" x1="0" x2="1000" y1="8" y2="8" />
        {starts.map(at => (
          <line
            key={at}
            class={pauseEffect(job, at) !== undefined ? 'tick lost' : 'tick'}
            x1={((at - now) / HOUR) * 1_000}
            x2={((at - now) / HOUR) * 1_000}
            y1="1"
            y2="15"
          />
        ))}
      </svg>
      <span class="when">
        {first === undefined ? '' : clockText(first, zone)}
        <span class="faint">
          {first === undefined ? '' : relativeText(first, now)}
          {starts.length > 1 && ` · ${starts.length}×`}
          {lost > 0 && ` · ${lost} paused`}
        </span>
      </span>
    </li>
  )
}
