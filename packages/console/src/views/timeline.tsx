import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { JobRecord } from '../api/records.ts'
import { useWorld, zoneOf } from '../context.ts'
import { countText, jobsText, relativeText, spanText } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { nextStart } from '../model/next-start.ts'
import { type Appearance, GLYPHS, LABELS } from '../model/outcome.ts'
import type { World } from '../model/world.ts'
import { Loading, Notice, Problem } from '../parts/notice.tsx'
import { amend, jobRoute } from '../route.ts'
import { TimelineCanvas } from '../timeline/canvas.tsx'
import { AXIS, ROW } from '../timeline/draw.ts'
import { filterJobs, SHOWN, type Shown } from '../timeline/filter.ts'
import { RowCache } from '../timeline/row-cache.ts'
import { rangeOf, SPANS, spanIndex } from '../timeline/span.ts'
import { useTimelineKeys } from '../timeline/use-keys.ts'
import { useVisibleRows } from '../timeline/use-visible-rows.ts'

const cache = new RowCache()

export function Timeline({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const world = useWorld()
  const scroller = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState(-1)
  const zone = zoneOf(parameters)
  const zoom = spanIndex(parameters['span'])
  const at = secondsOf(parameters['at'])
  const { from, to } = rangeOf(zoom, useSecond(world), at)
  const rows = useRows(world, parameters)
  const { first, last } = useVisibleRows(scroller, rows.length)
  const visible = rows.slice(first, last)
  const pan = (seconds: number): void => amend({ at: new Date((from + seconds) * 1_000).toISOString() })
  const select = (index: number): void => {
    if (scroller.current === null) return
    const row = Math.max(0, Math.min(rows.length - 1, index))
    setSelected(row)
    reveal(scroller.current, row)
  }
  useTimelineKeys({ zoom, from, to, selected, select, pan })
  useEffect(
    () => world.book.want(visible.map(each => each.identity)),
    [visible.map(each => each.identity).join()],
  )

  return (
    <section class="timeline" aria-label="Timeline">
      <Toolbar zoom={zoom} following={at === undefined} parameters={parameters} />
      {world.problem !== undefined && world.jobs.length === 0 ? (
        <Problem problem={world.problem} />
      ) : world.loading && world.jobs.length === 0 ? (
        <Loading />
      ) : rows.length === 0 ? (
        <NoRows total={world.jobs.length} />
      ) : (
        <div class="rows" ref={scroller} tabIndex={-1}>
          <div class="rows-all" style={{ height: `${AXIS + rows.length * ROW}px` }}>
            <div class="rows-head">{headText(world, rows.length)}</div>
            <ul class="names" aria-label="Jobs">
              {visible.map((job, i) => (
                <Name
                  key={job.identity}
                  job={job}
                  world={world}
                  top={AXIS + (first + i) * ROW}
                  selected={first + i === selected}
                  onFocus={() => setSelected(first + i)}
                />
              ))}
            </ul>
            <TimelineCanvas {...{ world, rows, cache, from, to, zone, scroller, selected }} onPan={pan} />
          </div>
        </div>
      )}
      <Legend />
    </section>
  )
}

function Name(props: { job: JobRecord; world: World; top: number; selected: boolean; onFocus: () => void }) {
  const { job, world, top, selected, onFocus } = props
  const next = nextStart(job, world.now())
  const last = world.lastOf(job)
  const state: Appearance | undefined =
    last === null
      ? undefined
      : last.failed
        ? 'failed'
        : last.outcome === 'executed'
          ? 'succeeded'
          : last.outcome
  const about = job.suspended
    ? 'suspended'
    : next === undefined
      ? 'nothing planned'
      : relativeText(next, world.now())
  return (
    <li style={{ top: `${top}px` }} class={selected ? 'selected' : ''}>
      <a
        href={jobRoute(job.identity)}
        data-identity={job.identity}
        onFocus={onFocus}
        title={`${job.identity}\n${job.schedule}`}
      >
        <span class={`dot ${state ?? 'none'}`} aria-hidden="true">
          {state === undefined ? '·' : GLYPHS[state]}
        </span>
        <span class="name">{job.name}</span>
        <span class="next-start faint" aria-hidden="true">
          {job.suspended ? 'suspended' : next === undefined ? '' : spanText(next - world.now())}
        </span>
        <span class="sr">
          , {state === undefined ? 'never ran' : `last ${LABELS[state]}`}, {about}
        </span>
      </a>
    </li>
  )
}

function Toolbar(props: { zoom: number; following: boolean; parameters: Readonly<Record<string, string>> }) {
  const { zoom, following, parameters } = props
  const shown = parameters['show'] ?? 'all'
  return (
    <div class="toolbar">
      <fieldset class="segments">
        <legend class="sr">Zoom</legend>
        {SPANS.map(({ name }, i) => (
          <button key={name} type="button" aria-pressed={i === zoom} onClick={() => amend({ span: name })}>
            {name}
          </button>
        ))}
      </fieldset>
      <button type="button" disabled={following} onClick={() => amend({ at: undefined })}>
        Now
      </button>
      <label>
        <span class="sr">Show</span>
        <select value={shown} onChange={event => amend({ show: event.currentTarget.value })}>
          {SHOWN.map(each => (
            <option key={each} value={each}>
              {each === 'all' ? 'all jobs' : `${each} jobs`}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

/** While jobs are still coming, or when there are too many to list, it says of how many these are. */
function headText({ jobs, status }: World, shown: number): string {
  const partly = status !== undefined && status.jobs > jobs.length
  return partly ? `${jobsText(shown)} of ${countText(status.jobs)}` : jobsText(shown)
}

const NoRows = ({ total }: { readonly total: number }) =>
  total === 0 ? (
    <Notice title="No jobs are defined">
      Write a job file and reload krond: krontab add, then krond reload.
    </Notice>
  ) : (
    <Notice title="No job matches">Change the search or the filter; {jobsText(total)} in all.</Notice>
  )

const Legend = () => (
  <ul class="legend" aria-label="Legend">
    <li>
      <i class="key-band" /> window, darker where likelier
    </li>
    <li>
      <i class="key-chosen" /> chosen
    </li>
    <li>
      <i class="key-bar succeeded" /> succeeded
    </li>
    <li>
      <i class="key-bar failed" /> failed
    </li>
    <li>
      <i class="key-bar running" /> running
    </li>
    <li>
      <i class="key-mark" /> did not run
    </li>
  </ul>
)

function useRows(world: World, parameters: Readonly<Record<string, string>>): readonly JobRecord[] {
  const shown = SHOWN.find(each => each === parameters['show']) ?? 'all'
  const query = parameters['q'] ?? ''
  const version = shown === 'running' || shown === 'troubled' ? world.pulse + world.running.size : 0
  return useMemo(() => {
    const running = new Set([...world.running.values()].map(each => each.identity))
    return filterJobs(world.jobs, query, shown as Shown, { running, lastOf: job => world.lastOf(job) })
  }, [world.jobs, query, shown, version])
}

/** The daemon's clock, once a second. */
function useSecond(world: World): number {
  const [now, setNow] = useState(world.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(world.now()), 1_000)
    return () => clearInterval(timer)
  }, [world])
  return now
}

function reveal(scroller: HTMLElement, row: number): void {
  const top = row * ROW
  const room = scroller.clientHeight - AXIS
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + ROW > scroller.scrollTop + room) scroller.scrollTop = top + ROW - room
}
