import type { Decision } from '@kron/core'
import type { OutcomeRecord } from '../api/records.ts'
import { secondsOf } from '../model/instant.ts'
import { type Appearance, appearanceOf } from '../model/outcome.ts'
import { type TimeScale, xOf } from '../model/time-scale.ts'
import type { Palette } from './palette.ts'
import { isOpen, type RowPlan } from './row-cache.ts'

export const ROW = 32
export const AXIS = 34
const BAND = { top: 7, height: 18 }
const BAR = { top: 11, height: 10 }

export interface Bar {
  readonly from: number
  readonly to: number
  readonly appearance: Appearance
}

const bars = new WeakMap<OutcomeRecord, Bar>()

/** An outcome as a bar; one without an execution is a mark at the time it was chosen for. */
export function barOf(record: OutcomeRecord): Bar {
  // Every frame asks for hundreds, and each would read three times from text.
  const known = bars.get(record)
  if (known !== undefined) return known
  const bar = makeBar(record)
  bars.set(record, bar)
  return bar
}

function makeBar(record: OutcomeRecord): Bar {
  const chosen = secondsOf(record.chosenTime) ?? secondsOf(record.nominalTime) ?? 0
  const from = secondsOf(record.startedAt) ?? chosen
  const to = record.outcome === 'executed' ? (secondsOf(record.completedAt) ?? from) : from
  return { from, to: Math.max(from, to), appearance: appearanceOf(record) }
}

export class RowPainter {
  private readonly context: CanvasRenderingContext2D
  private readonly scale: TimeScale
  private readonly palette: Palette
  private readonly now: number

  constructor(context: CanvasRenderingContext2D, scale: TimeScale, palette: Palette, now: number) {
    this.context = context
    this.scale = scale
    this.palette = palette
    this.now = now
  }

  plan(plan: RowPlan, y: number): void {
    if (plan.nominals.length > 0) return this.crowd(plan.nominals, y)
    if (plan.periods.length > this.scale.width / 4)
      return this.crowd(
        plan.periods.flatMap(({ chosen }) => chosen ?? []),
        y,
      )
    for (const period of plan.periods) this.window(plan, period, y)
    for (const period of plan.periods) this.chosen(period, y)
    this.context.globalAlpha = 1
  }

  bars(bars: readonly Bar[], y: number): void {
    const { context, palette, scale } = this
    const shown = bars.filter(({ from, to }) => to >= scale.from && from <= scale.to)
    const crowded = shown.length > scale.width / 30
    for (const { from, to, appearance } of shown) {
      if (!ran(appearance)) continue
      const x = xOf(scale, from)
      context.fillStyle = palette.outcomes[appearance]
      if (crowded) context.fillRect(x, y + BAR.top, Math.max(2, xOf(scale, to) - x), BAR.height)
      else roundedBar(context, x, y + BAR.top, Math.max(4, xOf(scale, to) - x), BAR.height)
    }
    // On top: what did not run must not hide behind what did.
    for (const { from, appearance } of shown)
      if (!ran(appearance)) this.mark(xOf(scale, from), y, palette.outcomes[appearance], crowded ? 3 : 5.5)
  }

  /** A diamond: a period that did not run. */
  private mark(x: number, row: number, colour: string, size: number): void {
    const { context } = this
    const y = row + BAND.top + BAND.height / 2
    context.strokeStyle = colour
    context.lineWidth = size > 4 ? 2 : 1.5
    context.beginPath()
    context.moveTo(x, y - size)
    context.lineTo(x + size, y)
    context.lineTo(x, y + size)
    context.lineTo(x - size, y)
    context.closePath()
    context.stroke()
  }

  /** The window as a band, darker where the chosen time is likelier, empty where a constraint refuses it. */
  private window({ density, schedule, constrained }: RowPlan, period: Decision, y: number): void {
    const { context, scale, palette } = this
    const x = xOf(scale, period.windowStart)
    const width = xOf(scale, period.windowEnd) - x
    if (width < 1) return
    const steps = Math.max(1, Math.min(density.length, Math.floor(width / 2)))
    const past = period.windowEnd < this.now ? 0.55 : 1
    const seconds = period.windowEnd - period.windowStart
    context.fillStyle = palette.band
    for (let i = 0; i < steps; i++) {
      const part = density[Math.floor(((i + 0.5) / steps) * density.length)]!
      const open =
        !constrained || isOpen(schedule, Math.round(period.windowStart + ((i + 0.5) / steps) * seconds))
      context.globalAlpha = past * (open ? 0.14 + 0.5 * part : 0.05)
      // Whole pixels: neighbours that overlap would show as stripes.
      const left = Math.round(x + (i * width) / steps)
      const right = Math.round(x + ((i + 1) * width) / steps)
      if (right < 0 || left > scale.width) continue
      context.fillRect(left, y + BAND.top, right - left, BAND.height)
    }
    context.globalAlpha = past * 0.5
    context.fillRect(Math.round(x), y + BAND.top, 1, BAND.height)
    context.fillRect(Math.round(x + width) - 1, y + BAND.top, 1, BAND.height)
    context.globalAlpha = 1
  }

  private chosen({ chosen, nominal, windowStart, windowEnd }: Decision, y: number): void {
    const { context, scale, palette } = this
    if (windowEnd > windowStart) {
      context.fillStyle = palette.faint
      context.fillRect(xOf(scale, nominal) - 0.5, y + BAND.top - 3, 1, 4)
    }
    if (chosen === null) return
    const future = chosen > this.now
    context.globalAlpha = future ? 1 : 0.35
    context.fillStyle = palette.accent
    context.fillRect(xOf(scale, chosen) - 1, y + BAND.top - 2, 2, BAND.height + 4)
    context.globalAlpha = 1
  }

  /** So many periods that each is less than a few pixels: only where they fall is shown. */
  private crowd(times: readonly number[], y: number): void {
    const { context, scale, palette } = this
    const hits = new Uint16Array(Math.ceil(scale.width))
    for (const time of times) {
      const x = Math.floor(xOf(scale, time))
      if (x >= 0 && x < hits.length) hits[x]! += 1
    }
    const now = xOf(scale, this.now)
    context.fillStyle = palette.accent
    for (const [x, count] of hits.entries()) {
      if (count === 0) continue
      context.globalAlpha = Math.min(1, 0.35 + 0.25 * count) * (x < now ? 0.4 : 1)
      context.fillRect(x, y + BAND.top, 1, BAND.height)
    }
    context.globalAlpha = 1
  }
}

const ran = (appearance: Appearance): boolean =>
  appearance === 'succeeded' ||
  appearance === 'failed' ||
  appearance === 'running' ||
  appearance === 'unknown'

function roundedBar(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  context.beginPath()
  context.roundRect(x, y, width, height, 2.5)
  context.fill()
}
