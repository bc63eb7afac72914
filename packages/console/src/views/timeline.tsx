import { useEffect, useRef, useState } from 'preact/hooks'
import { useWorld, zoneOf } from '../context.ts'
import { jobsText } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import type { World } from '../model/world.ts'
import { Loading, Notice, Problem } from '../parts/notice.tsx'
import { amend } from '../route.ts'
import { TimelineCanvas } from '../timeline/canvas.tsx'
import { AXIS, ROW } from '../timeline/draw.ts'
import { SHOWN, type Shown, shownOf } from '../timeline/filter.ts'
import { Name } from '../timeline/name.tsx'
import { RowCache } from '../timeline/row-cache.ts'
import { rangeOf, SPANS, spanIndex } from '../timeline/span.ts'
import { useTimelineKeys } from '../timeline/use-keys.ts'
import { useRows } from '../timeline/use-rows.ts'
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
  const { rows, head, searching } = useRows(world, parameters)
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
    [visible.map(each => each.identity).join(), world.epoch],
  )

  return (
    <section class="timeline" aria-label="Timeline">
      <Toolbar zoom={zoom} following={at === undefined} parameters={parameters} />
      {world.problem !== undefined && world.jobs.length === 0 ? (
        <Problem problem={world.problem} />
      ) : searching || (world.loading && world.jobs.length === 0) ? (
        <Loading />
      ) : rows.length === 0 ? (
        <NoRows total={world.jobs.length} shown={shownOf(parameters)} query={parameters['q'] ?? ''} />
      ) : (
        <div class="rows" ref={scroller} tabIndex={-1}>
          <div class="rows-all" style={{ height: `${AXIS + rows.length * ROW}px` }}>
            <div class="rows-head">{head}</div>
            <ul class="names" aria-label="Jobs">
              {visible.map((job, i) => (
                <Name
                  key={job.identity}
                  job={job}
                  world={world}
                  zone={zone}
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

function Toolbar(props: { zoom: number; following: boolean; parameters: Readonly<Record<string, string>> }) {
  const { zoom, following, parameters } = props
  const shown = shownOf(parameters)
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

const NONE: Readonly<Record<Shown, string>> = {
  all: 'No job matches',
  running: 'Nothing runs at the moment',
  troubled: 'No job is in trouble',
  suspended: 'No job is suspended',
}

function NoRows({
  total,
  shown,
  query,
}: {
  readonly total: number
  readonly shown: Shown
  readonly query: string
}) {
  if (total === 0)
    return (
      <Notice title="No jobs are defined">
        Write a job file and reload krond: krontab add, then krond reload.
      </Notice>
    )
  return (
    <Notice title={query === '' ? NONE[shown] : NONE.all}>
      Change the search or the filter; {jobsText(total)} in all.
    </Notice>
  )
}

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
