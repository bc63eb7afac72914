import { findZone } from '@kron/core'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { JobRecord } from '../api/records.ts'
import type { ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { atOf, type TimeScale } from '../model/time-scale.ts'
import type { World } from '../model/world.ts'
import { drawAxis, drawGrid, drawNow } from './axis.ts'
import { AXIS, type Bar, barOf, ROW, RowPainter } from './draw.ts'
import { type Hit, hitAt } from './hit.ts'
import { type Palette, readPalette } from './palette.ts'
import type { RowCache } from './row-cache.ts'

export interface CanvasProps {
  readonly world: World
  readonly rows: readonly JobRecord[]
  readonly cache: RowCache
  readonly from: number
  readonly to: number
  readonly zone: ZoneName
  readonly scroller: { readonly current: HTMLElement | null }
  readonly selected: number
  readonly onPan: (seconds: number) => void
}

/** How much of a frame may go into computing rows that were not computed yet. */
const FRAME_MS = 8

/** All visible rows in one canvas: scrolling costs one drawing, whatever the number of jobs. */
export function TimelineCanvas(props: CanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null)
  const [hover, setHover] = useState<{ x: number; y: number; hit: Hit }>()
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    const canvas = ref.current!
    const scroller = props.scroller.current!
    let frame = 0
    const draw = (): void => {
      frame = 0
      // A frame may come between the page losing the canvas and this effect hearing of it.
      if (canvas.isConnected && latest.current.scroller.current !== null && paint(canvas, latest.current))
        request()
    }
    const request = (): void => {
      frame ||= requestAnimationFrame(draw)
    }
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const resize = new ResizeObserver(request)
    resize.observe(scroller)
    scroller.addEventListener('scroll', request, { passive: true })
    dark.addEventListener('change', request)
    const unwatch = props.world.watch(request)
    const second = setInterval(request, 1_000)
    addEventListener('kron-draw', request)
    request()
    return () => {
      resize.disconnect()
      scroller.removeEventListener('scroll', request)
      dark.removeEventListener('change', request)
      removeEventListener('kron-draw', request)
      unwatch()
      clearInterval(second)
      cancelAnimationFrame(frame)
    }
  }, [props.world, props.scroller])

  useEffect(() => void dispatchEvent(new Event('kron-draw')))

  const drag = useRef<number>(undefined)
  const scaleOf = (): TimeScale => ({ from: props.from, to: props.to, width: ref.current!.clientWidth })
  const move = (event: PointerEvent): void => {
    const scale = scaleOf()
    if (drag.current !== undefined && event.buttons === 1) {
      props.onPan(((drag.current - event.offsetX) / scale.width) * (scale.to - scale.from))
      drag.current = event.offsetX
      return
    }
    const hit = hitUnder(props, scale, event.offsetX, event.offsetY)
    setHover(hit === undefined ? undefined : { x: event.offsetX, y: event.offsetY, hit })
  }
  return (
    <div class="canvas">
      <canvas
        ref={ref}
        role="img"
        aria-label="Windows, chosen times and executions of the jobs; the list tells the same in words"
        onPointerDown={event => {
          drag.current = event.offsetX
        }}
        onPointerUp={() => {
          drag.current = undefined
        }}
        onPointerMove={move}
        onPointerLeave={() => setHover(undefined)}
      />
      {hover !== undefined && <Tooltip {...hover} width={ref.current?.clientWidth ?? 0} />}
    </div>
  )
}

function Tooltip({ x, y, hit, width }: { x: number; y: number; hit: Hit; width: number }) {
  const left = Math.max(0, Math.min(x + 14, width - 290))
  return (
    <div class="tooltip" role="status" style={{ left: `${left}px`, top: `${y + 16}px` }}>
      <strong>{hit.title}</strong>
      <dl>
        {hit.facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function hitUnder(
  { world, rows, cache, zone, scroller }: CanvasProps,
  scale: TimeScale,
  x: number,
  y: number,
): Hit | undefined {
  if (y < AXIS) return undefined
  const job = rows[Math.floor((y - AXIS + scroller.current!.scrollTop) / ROW)]
  if (job === undefined) return undefined
  const facts = {
    job,
    plan: cache.get(job),
    outcomes: world.book.of(job.identity),
    running: [...world.running.values()].filter(each => each.identity === job.identity),
  }
  return hitAt(facts, atOf(scale, x), ((scale.to - scale.from) / scale.width) * 5, zone)
}

/** True if some rows still wait to be computed. */
function paint(
  canvas: HTMLCanvasElement,
  { world, rows, cache, from, to, zone, scroller, selected }: CanvasProps,
): boolean {
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
  const palette = readPalette()
  const scale: TimeScale = { from, to, width }
  const now = world.now()
  const zoneTable = findZone(zone)
  const offset = zoneTable?.offsetAt(from) ?? 0
  cache.show(from, to)
  drawGrid(context, scale, palette, offset, height)
  const waiting = paintRows(
    context,
    { scale, palette, now, height },
    { world, rows, cache, scroller, selected },
  )
  drawNow(context, scale, palette, now, height)
  const background = getComputedStyle(document.documentElement).getPropertyValue('--surface')
  drawAxis(context, scale, palette, zone, offset, background)
  drawNow(context, { ...scale }, palette, now, AXIS)
  return waiting
}

interface Frame {
  readonly scale: TimeScale
  readonly palette: Palette
  readonly now: number
  readonly height: number
}

function paintRows(
  context: CanvasRenderingContext2D,
  { scale, palette, now, height }: Frame,
  {
    world,
    rows,
    cache,
    scroller,
    selected,
  }: Pick<CanvasProps, 'world' | 'rows' | 'cache' | 'scroller' | 'selected'>,
): boolean {
  const painter = new RowPainter(context, scale, palette, now)
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
    if (!cache.has(job)) {
      if (performance.now() - begun > FRAME_MS) {
        waiting = true
        continue
      }
      cache.make(job)
    }
    const plan = cache.get(job)
    if (plan !== undefined) painter.plan(plan, y)
    painter.bars([...world.book.of(job.identity).map(barOf), ...(running.get(job.identity) ?? [])], y)
  }
  return waiting
}

function runningBars(world: World, now: number): Map<string, Bar[]> {
  const bars = new Map<string, Bar[]>()
  for (const { identity, startedAt } of world.running.values()) {
    const bar: Bar = { from: secondsOf(startedAt) ?? now, to: now, appearance: 'running' }
    bars.set(identity, [...(bars.get(identity) ?? []), bar])
  }
  return bars
}
