import { useState } from 'preact/hooks'
import { clockText, dayText, minuteText, type ZoneName } from '../model/format.ts'
import { zoneNamed } from '../model/schedule-files.ts'
import { type TimeScale, ticks, xOf } from '../model/time-scale.ts'

export interface LoadChartProps {
  readonly title: string
  readonly starts: readonly number[]
  readonly from: number
  readonly bucket: number
  /** The most that fits: charts to be compared share it. */
  readonly most: number
  readonly zone: ZoneName
  readonly kind: 'kron' | 'plain' | 'added'
  readonly peak: string
  /** Times in which all jobs are paused. */
  readonly shades?: readonly Shade[]
  /** The bar whose jobs are named. */
  readonly selected?: number | undefined
  readonly onSelect?: (index: number) => void
}

export interface Shade {
  readonly from: number
  readonly to: number
}

const WIDTH = 1_000
const HEIGHT = 150

/** Starts per bucket as columns. */
export function LoadChart(props: LoadChartProps) {
  const { title, starts, from, bucket, most, zone, kind, peak, shades = [], selected, onSelect } = props
  const [hover, setHover] = useState<number>()
  const scale: TimeScale = { from, to: from + starts.length * bucket, width: WIDTH }
  const y = (count: number): number => HEIGHT - (count / Math.max(1, most)) * (HEIGHT - 8)
  const marks = niceMarks(most)
  const indexAt = (event: MouseEvent): number | undefined => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const index = Math.floor(((event.clientX - box.left) / box.width) * starts.length)
    return index >= 0 && index < starts.length ? index : undefined
  }
  const press = (event: KeyboardEvent): void => {
    const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (direction === 0) return
    event.preventDefault()
    const next = nextBar(starts, selected, direction)
    if (next !== undefined) onSelect?.(next)
  }
  const told = hover ?? selected
  const at = told === undefined ? undefined : from + told * bucket
  return (
    <figure class={`load-chart ${kind}`}>
      <figcaption>
        <span>{title}</span>
        <span class="faint">
          {at === undefined ? peak : `${dayText(at, zone)} ${clockText(at, zone)}: ${starts[told!]} starts`}
        </span>
      </figcaption>
      <div class="plot">
        <div class="y-axis" aria-hidden="true">
          {marks.map(mark => (
            <span key={mark} style={{ top: `${(y(mark) / HEIGHT) * 100}%` }}>
              {mark}
            </span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          {...(onSelect === undefined
            ? { role: 'img' }
            : { role: 'application', tabindex: 0, 'aria-roledescription': 'bar chart' })}
          aria-label={`${title}. ${peak}${onSelect === undefined ? '' : '. Left and right choose a bar.'}`}
          onPointerMove={event => setHover(indexAt(event))}
          onPointerLeave={() => setHover(undefined)}
          onClick={event => {
            const index = indexAt(event)
            if (index !== undefined) onSelect?.(index)
          }}
          onKeyDown={press}
        >
          {shades.map(each => (
            <rect
              key={each.from}
              class="shade"
              x={Math.max(0, xOf(scale, each.from))}
              y="0"
              width={Math.max(0, Math.min(WIDTH, xOf(scale, each.to)) - Math.max(0, xOf(scale, each.from)))}
              height={HEIGHT}
            />
          ))}
          {marks.map(mark => (
            <line key={mark} class="grid" x1="0" x2={WIDTH} y1={y(mark)} y2={y(mark)} />
          ))}
          <path class="columns" d={columns(starts, y)} />
          {told !== undefined && (
            <rect
              class="cursor"
              x={(told / starts.length) * WIDTH}
              y="0"
              width={WIDTH / starts.length}
              height={HEIGHT}
            />
          )}
        </svg>
      </div>
      <div class="x-axis" aria-hidden="true">
        {ticks(scale, room(), zoneNamed(zone)?.offsetAt(from) ?? 0)
          .filter(tick => xOf(scale, tick) <= WIDTH - 0.9 * room())
          .map(tick => (
            <span key={tick} style={{ left: `${(xOf(scale, tick) / WIDTH) * 100}%` }}>
              {tickText(tick, zone)}
            </span>
          ))}
      </div>
    </figure>
  )
}

/** The next bar that is not empty. */
function nextBar(
  starts: readonly number[],
  index: number | undefined,
  direction: 1 | -1,
): number | undefined {
  const first = index ?? (direction === 1 ? -1 : starts.length)
  for (let i = first + direction; i >= 0 && i < starts.length; i += direction) if (starts[i]! > 0) return i
  return undefined
}

/** How much of the width a label needs: on a phone it is several times as much. */
const room = (): number => (innerWidth < 720 ? 230 : 110)

/** At midnight the day that begins. */
const tickText = (at: number, zone: ZoneName): string => {
  const time = minuteText(at, zone)
  return time === '00:00' ? dayText(at, zone) : time
}

function columns(starts: readonly number[], y: (count: number) => number): string {
  const width = WIDTH / starts.length
  const gap = width > 4 ? 0.8 : 0
  return starts
    .map((count, i) =>
      count === 0
        ? ''
        : `M${(i * width).toFixed(2)} ${HEIGHT}V${y(count).toFixed(2)}h${(width - gap).toFixed(2)}V${HEIGHT}z`,
    )
    .join('')
}

/** Two or three round numbers up to the most. */
function niceMarks(most: number): number[] {
  if (most <= 1) return [0, 1]
  const rough = most / 2
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map(n => n * power).findLast(each => each <= rough) ?? 1
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step)
}
