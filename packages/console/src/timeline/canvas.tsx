import { useEffect, useRef, useState } from 'preact/hooks'
import type { JobRecord } from '../api/records.ts'
import { atOf, type TimeScale, xOf } from '../model/time-scale.ts'
import type { World } from '../model/world.ts'
import { AXIS, ROW } from './draw.ts'
import { type Hit, hitAt, type RowFacts } from './hit.ts'
import { type Picture, paint } from './paint.ts'
import { type Point, Tooltip } from './tooltip.tsx'

export interface CanvasProps extends Picture {
  readonly onPan: (seconds: number) => void
}

/** Pixels beside the pointer that still count. */
const REACH = 5

/** All visible rows in one canvas: scrolling costs one drawing, whatever the number of jobs. */
export function TimelineCanvas(props: CanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null)
  const [pointer, setPointer] = useState<Point>()
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    const canvas = ref.current!
    const scroller = props.scroller.current!
    let frame = 0
    const draw = (): void => {
      frame = 0
      // A frame may come between the page losing the canvas and this effect hearing of it.
      if (!canvas.isConnected || latest.current.scroller.current === null) return
      const waiting = paint(canvas, latest.current)
      canvas.ariaBusy = String(waiting)
      if (waiting) request()
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
    setPointer({ x: event.offsetX, y: event.offsetY })
  }
  // Looked up at every rendering, so that it stays true while outcomes come and time goes on.
  const point = ref.current === null ? undefined : (pointer ?? pointOf(props, scaleOf()))
  const hit = point === undefined ? undefined : hitUnder(props, scaleOf(), point)
  return (
    <div class="canvas">
      <canvas
        ref={ref}
        role="img"
        aria-label="Windows, chosen times and executions of the jobs; the list tells the same in words"
        onPointerDown={event => {
          drag.current = event.offsetX
          setPointer({ x: event.offsetX, y: event.offsetY })
        }}
        onPointerUp={() => {
          drag.current = undefined
        }}
        onPointerMove={move}
        // A finger leaves as soon as it is lifted; the tooltip of the touched mark stays.
        onPointerLeave={event => event.pointerType !== 'touch' && setPointer(undefined)}
      />
      {point !== undefined && hit !== undefined && <Tooltip at={point} hit={hit} canvas={ref.current!} />}
    </div>
  )
}

function hitUnder(
  { world, rows, zone, scroller }: CanvasProps,
  scale: TimeScale,
  { x, y }: Point,
): Hit | undefined {
  if (y < AXIS || scroller.current === null) return undefined
  const job = rows[Math.floor((y - AXIS + scroller.current.scrollTop) / ROW)]
  if (job === undefined) return undefined
  return hitAt(factsOf(world, job), atOf(scale, x), ((scale.to - scale.from) / scale.width) * REACH, zone)
}

/** Where the mark is that was reached by keyboard. */
function pointOf({ mark, selected, scroller }: CanvasProps, scale: TimeScale): Point | undefined {
  if (mark === undefined || scroller.current === null) return undefined
  return { x: xOf(scale, mark), y: AXIS + (selected + 0.5) * ROW - scroller.current.scrollTop }
}

/** All that is known of the row of a job. */
export const factsOf = (world: World, job: JobRecord): RowFacts => ({
  job,
  outcomes: world.outcomes.of(job.identity),
  running: [...world.running.values()].filter(each => each.identity === job.identity),
  now: world.now(),
})
