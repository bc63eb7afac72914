import { OUTCOME_STYLES, type OutcomeKind } from '@kron/core'
import { useEffect, useRef, useState } from 'preact/hooks'
import { toneOf } from '../components/badge.tsx'
import { NoJobs } from '../components/no-jobs.tsx'
import { Loading, Problem } from '../components/notice.tsx'
import { Segments } from '../components/segments.tsx'
import { useWorld, zoneOf } from '../context.ts'
import { useSecond } from '../model/clock.ts'
import { secondsOf } from '../model/instant.ts'
import { SHOWN, shownOf } from '../model/job-filter.ts'
import { useRows } from '../model/use-rows.ts'
import { amend, type ViewParameters } from '../route.ts'
import { factsOf, TimelineCanvas } from '../timeline/canvas.tsx'
import { AXIS, ROW } from '../timeline/draw.ts'
import { type Mark, marksOf, stepped } from '../timeline/marks.ts'
import { Name } from '../timeline/name.tsx'
import { RowCache } from '../timeline/row-cache.ts'
import { rangeOf, SPANS, spanIndex } from '../timeline/span.ts'
import { useTimelineKeys } from '../timeline/use-keys.ts'
import { useVisibleRows } from '../timeline/use-visible-rows.ts'

const cache = new RowCache()

export function Timeline({ parameters }: { readonly parameters: ViewParameters }) {
  const world = useWorld()
  const scroller = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState(-1)
  const [mark, setMark] = useState<Mark>()
  const zone = zoneOf(parameters)
  const now = useSecond(world)
  const zoom = useZoom(parameters['span'], now - (secondsOf(world.status?.firstSeen) ?? now))
  const at = secondsOf(parameters['at'])
  const { from, to } = rangeOf(zoom, now, at)
  const { rows, head, searching } = useRows(world, parameters)
  const { first, last } = useVisibleRows(scroller, rows.length)
  const visible = rows.slice(first, last)
  const pan = (seconds: number): void => amend({ at: new Date((from + seconds) * 1_000).toISOString() })
  const select = (index: number): void => {
    if (scroller.current === null) return
    const row = Math.max(0, Math.min(rows.length - 1, index))
    setSelected(row)
    setMark(undefined)
    reveal(scroller.current, row)
  }
  const step = (direction: 1 | -1): void => {
    const job = rows[Math.max(0, selected)]
    if (job === undefined) return
    if (selected < 0) select(0)
    setMark(stepped(marksOf(factsOf(world, job), from, to), mark?.at ?? now, direction) ?? mark)
  }
  useTimelineKeys({ zoom, from, to, selected, select, pan, step })
  useEffect(
    () => world.outcomes.want(visible.map(each => each.identity)),
    [visible.map(each => each.identity).join(), world.jobsVersion],
  )

  return (
    <section class="timeline" aria-label="Timeline">
      <Toolbar zoom={zoom} following={at === undefined} parameters={parameters} />
      {world.problem !== undefined && world.jobs.length === 0 ? (
        <Problem problem={world.problem} />
      ) : searching || (world.loading && world.jobs.length === 0) ? (
        <Loading />
      ) : rows.length === 0 ? (
        <NoJobs total={world.jobs.length} shown={shownOf(parameters)} query={parameters['q'] ?? ''} />
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
                  mark={first + i === selected ? mark : undefined}
                  onFocus={() => setSelected(first + i)}
                />
              ))}
            </ul>
            <TimelineCanvas
              {...{ world, rows, cache, from, to, zone, scroller, selected }}
              mark={mark?.at}
              onPan={pan}
            />
          </div>
        </div>
      )}
      <Legend
        hasExamples={world.outcomes.hasExamples}
        hasCalendars={visible.some(each => each.schedule.includes('cal='))}
      />
    </section>
  )
}

function Toolbar(props: { zoom: number; following: boolean; parameters: ViewParameters }) {
  const { zoom, following, parameters } = props
  const shown = shownOf(parameters)
  return (
    <div class="toolbar">
      <Segments
        legend="Zoom"
        choices={SPANS.map(({ name }) => ({ name, value: name }))}
        chosen={SPANS[zoom]!.name}
        onChoose={span => amend({ span })}
      />
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

const KEYS: readonly OutcomeKind[] = ['succeeded', 'failed', 'timed_out', 'replaced', 'unknown', 'running']
const DIAMONDS: readonly OutcomeKind[] = ['skipped', 'missed', 'unschedulable']

const Legend = (props: { readonly hasExamples: boolean; readonly hasCalendars: boolean }) => (
  <ul class="legend" aria-label="Legend">
    <li>
      <i class="key-band" /> window, darker where likelier
    </li>
    <li>
      <i class="key-chosen" /> chosen
    </li>
    {KEYS.map(kind => (
      <li key={kind}>
        <i class="key-bar" style={toneOf(kind)} /> {OUTCOME_STYLES[kind].word}
      </li>
    ))}
    {DIAMONDS.map(kind => (
      <li key={kind}>
        <i class="key-mark" style={toneOf(kind)} /> {OUTCOME_STYLES[kind].word}
      </li>
    ))}
    {props.hasCalendars && (
      <li>
        <i class="key-calendar" /> time of a calendar
      </li>
    )}
    {props.hasExamples && <li>pale: example, nothing ran</li>}
    <li class="hint">
      <kbd>Shift</kbd> <kbd>←</kbd> <kbd>→</kbd> from mark to mark
    </li>
  </ul>
)

/** The zoom of the first visit stays while the history grows. */
function useZoom(name: string | undefined, historySeconds: number): number {
  const first = useRef<number>(undefined)
  if (first.current === undefined && historySeconds > 0) first.current = spanIndex(undefined, historySeconds)
  return name === undefined && first.current !== undefined ? first.current : spanIndex(name, historySeconds)
}

function reveal(scroller: HTMLElement, row: number): void {
  const top = row * ROW
  const room = scroller.clientHeight - AXIS
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + ROW > scroller.scrollTop + room) scroller.scrollTop = top + ROW - room
}
