import { findZone } from '@kron/core'
import { useState } from 'preact/hooks'
import { dayText, minuteText, type ZoneName } from '../model/format.ts'
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
}

const WIDTH = 1_000
const HEIGHT = 150

/** Starts per bucket as columns. */
export function LoadChart({ title, starts, from, bucket, most, zone, kind, peak }: LoadChartProps) {
  const [hover, setHover] = useState<number>()
  const scale: TimeScale = { from, to: from + starts.length * bucket, width: WIDTH }
  const y = (count: number): number => HEIGHT - (count / Math.max(1, most)) * (HEIGHT - 8)
  const marks = niceMarks(most)
  const point = (event: PointerEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const index = Math.floor(((event.clientX - box.left) / box.width) * starts.length)
    setHover(index >= 0 && index < starts.length ? index : undefined)
  }
  const at = hover === undefined ? undefined : from + hover * bucket
  return (
    <figure class={`load-chart ${kind}`}>
      <figcaption>
        <span>{title}</span>
        <span class="faint">
          {at === undefined ? peak : `${dayText(at, zone)} ${minuteText(at, zone)}: ${starts[hover!]} starts`}
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
          role="img"
          aria-label={`${title}. ${peak}`}
          onPointerMove={point}
          onPointerLeave={() => setHover(undefined)}
        >
          {marks.map(mark => (
            <line key={mark} class="grid" x1="0" x2={WIDTH} y1={y(mark)} y2={y(mark)} />
          ))}
          <path class="columns" d={columns(starts, y)} />
          {hover !== undefined && (
            <rect
              class="cursor"
              x={(hover / starts.length) * WIDTH}
              y="0"
              width={WIDTH / starts.length}
              height={HEIGHT}
            />
          )}
        </svg>
      </div>
      <div class="x-axis" aria-hidden="true">
        {ticks(scale, room(), findZone(zone)?.offsetAt(from) ?? 0)
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
