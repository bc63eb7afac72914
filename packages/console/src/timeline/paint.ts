import type { JobRecord } from '../api/records.ts'
import type { ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { pausedJobOf } from '../model/paused-job.ts'
import { zoneNamed } from '../model/schedule-files.ts'
import type { World } from '../model/world.ts'
import { drawAxis, drawBefore, drawGrid, drawNow } from './axis.ts'
import { type Bar, barOf } from './bar.ts'
import { AXIS, type Frame, ROW, RowPainter } from './draw.ts'
import { readPalette } from './palette.ts'
import type { RowCache } from './row-cache.ts'

/** All that the canvas shows. */
export interface Picture {
  readonly world: World
  readonly rows: readonly JobRecord[]
  readonly cache: RowCache
  readonly from: number
  readonly to: number
  readonly zone: ZoneName
  readonly scroller: { readonly current: HTMLElement | null }
  readonly selected: number
  /** The time of the mark that was reached by keyboard. */
  readonly mark: number | undefined
}

/** How much of a frame may go into computing rows that were not computed yet. */
const FRAME_MS = 8

/** True if some rows still wait to be computed. */
export function paint(canvas: HTMLCanvasElement, picture: Picture): boolean {
  const { world, cache, from, to, zone, scroller } = picture
  const height = scroller.current!.clientHeight
  const width = canvas.parentElement!.clientWidth
  const ratio = devicePixelRatio || 1
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
    canvas.style.height = `${height}px`
  }
  const context = canvas.getContext('2d')!
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  const frame = { context, scale: { from, to, width }, palette: readPalette(), height }
  const now = world.now()
  const offset = zoneNamed(zone)?.offsetAt(from) ?? 0
  cache.show(from, to)
  drawGrid(frame, offset)
  const waiting = paintRows(frame, now, picture)
  const firstSeen = secondsOf(world.status?.firstSeen)
  if (firstSeen !== undefined) drawBefore(frame, firstSeen)
  drawNow(frame, now)
  drawAxis(frame, zone, offset)
  drawNow({ ...frame, height: AXIS }, now)
  return waiting
}

function paintRows(frame: Frame, now: number, picture: Picture): boolean {
  const { context, scale, palette, height } = frame
  const { world, rows, cache, scroller, selected, mark } = picture
  const painter = new RowPainter(frame, now)
  const { scrollTop } = scroller.current!
  const first = Math.floor(scrollTop / ROW)
  const last = Math.min(rows.length, Math.ceil((scrollTop + height - AXIS) / ROW))
  const begun = performance.now()
  const running = runningBars(world, now)
  let waiting = false
  for (let i = first; i < last; i++) {
    const job = rows[i]!
    const y = AXIS + i * ROW - scrollTop
    context.fillStyle = i === selected ? palette.selected : palette.line
    if (i === selected) context.fillRect(0, y, scale.width, ROW)
    else context.fillRect(0, y + ROW - 1, scale.width, 0.5)
    if (!cache.has(job) && performance.now() - begun > FRAME_MS) {
      waiting = true
      continue
    }
    const plan = cache.get(job)
    for (const time of plan?.calendars ?? []) painter.calendar(time, y)
    painter.row(
      plan,
      pausedJobOf(job),
      [...world.outcomes.of(job.identity).map(barOf), ...(running.get(job.identity) ?? [])],
      y,
    )
    for (const pause of job.pauses)
      painter.paused(secondsOf(pause.from) ?? now, secondsOf(pause.until) ?? scale.to, y)
    if (i === selected && mark !== undefined) painter.focus(mark, y)
  }
  return waiting
}

function runningBars(world: World, now: number): Map<string, Bar[]> {
  const bars = new Map<string, Bar[]>()
  for (const { identity, startedAt } of world.running.values()) {
    const bar: Bar = { from: secondsOf(startedAt) ?? now, to: now, kind: 'running' }
    bars.set(identity, [...(bars.get(identity) ?? []), bar])
  }
  return bars
}
