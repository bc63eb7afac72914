import type { Decision, PausedJob } from '@kron/core'
import type { CalendarTime } from '../model/schedule-files.ts'
import { type TimeScale, xOf } from '../model/time-scale.ts'
import { type Bar, ran } from './bar.ts'
import { CELL, heatOf, isCrowded } from './heat.ts'
import type { Palette } from './palette.ts'
import { densityIn, isOpen, type RowPlan } from './row-cache.ts'

export const ROW = 32
export const AXIS = 34
const BAND = { top: 7, height: 18 }
/** The opacity of examples. */
const PALE = 0.4
const BAR = { top: 11, height: 10 }
/** Pixels from which a calendar's name is written into its mark. */
const NAME_ROOM = 48
/** Pixels between the lines of a hatched part. */
const HATCH = 8

/** One drawing of the canvas. */
export interface Frame {
  readonly context: CanvasRenderingContext2D
  readonly scale: TimeScale
  readonly palette: Palette
  readonly height: number
}

export class RowPainter {
  readonly #frame: Frame
  readonly #now: number

  constructor(frame: Frame, now: number) {
    this.#frame = frame
    this.#now = now
  }

  /** One job: its plan and its outcomes, or their density where they are too many to tell apart. */
  row(plan: RowPlan | undefined, paused: PausedJob | undefined, bars: readonly Bar[], y: number): void {
    if (plan === undefined) return this.#bars(bars, y)
    const times =
      plan.nominals.length > 0
        ? plan.nominals
        : plan.periods.map(({ chosen, windowStart }) => chosen ?? windowStart)
    if (isCrowded(this.#frame.scale, times)) return this.#heat(times, bars, y)
    for (const period of plan.periods) this.#window(plan, period, y)
    for (const period of plan.periods) this.#chosen(period, paused, y)
    this.#frame.context.globalAlpha = 1
    this.#bars(bars, y)
  }

  /** A hatched part of a row: the job is paused. */
  paused(from: number, to: number, y: number): void {
    const { context, scale, palette } = this.#frame
    const x = Math.max(0, xOf(scale, from))
    const end = Math.min(scale.width, xOf(scale, to))
    if (end <= x) return
    hatch(context, palette.faint, { x, y: y + 2, width: end - x, height: ROW - 4 })
  }

  /** A time that a calendar of the job names: a line along the bottom of the row, with ends. */
  calendar({ name, from, to }: CalendarTime, y: number): void {
    const { context, scale, palette } = this.#frame
    const x = Math.max(0, xOf(scale, from))
    const end = Math.min(scale.width, xOf(scale, to))
    if (end < x) return
    context.fillStyle = palette.now
    context.globalAlpha = 0.1
    context.fillRect(x, y + 1, end - x, ROW - 2)
    context.globalAlpha = 0.7
    context.fillRect(x, y + ROW - 4, Math.max(2, end - x), 2)
    if (end - x > NAME_ROOM) {
      context.font = '10px system-ui, sans-serif'
      context.textAlign = 'left'
      context.fillStyle = palette.faint
      context.globalAlpha = 1
      context.fillText(name, x + 4, y + ROW - 9, end - x - 8)
    }
    context.globalAlpha = 1
  }

  /** A ring around the mark that was reached by keyboard. */
  focus(at: number, y: number): void {
    const { context, scale, palette } = this.#frame
    context.strokeStyle = palette.accent
    context.lineWidth = 2
    context.beginPath()
    context.arc(xOf(scale, at), y + ROW / 2, ROW / 2 - 3, 0, Math.PI * 2)
    context.stroke()
  }

  #bars(bars: readonly Bar[], y: number): void {
    const { context, palette, scale } = this.#frame
    const shown = bars.filter(({ from, to }) => to >= scale.from && from <= scale.to)
    const crowded = shown.length > scale.width / 30
    for (const { from, to, kind, isExample } of shown) {
      if (!ran(kind)) continue
      context.globalAlpha = isExample === true ? PALE : 1
      const x = xOf(scale, from)
      context.fillStyle = palette.outcomes[kind]
      if (crowded) context.fillRect(x, y + BAR.top, Math.max(2, xOf(scale, to) - x), BAR.height)
      else roundedBar(context, x, y + BAR.top, Math.max(4, xOf(scale, to) - x), BAR.height)
    }
    // Drawn on top: periods that did not run must not be hidden behind runs.
    for (const { from, kind, isExample } of shown) {
      if (ran(kind)) continue
      context.globalAlpha = isExample === true ? PALE : 1
      this.#mark(xOf(scale, from), y, palette.outcomes[kind], crowded ? 3 : 5.5)
    }
    context.globalAlpha = 1
  }

  /** The fuller a cell, the higher its column; the more troubles, the more of it is red. */
  #heat(times: readonly number[], bars: readonly Bar[], y: number): void {
    const { context, scale, palette } = this.#frame
    const now = xOf(scale, this.#now)
    const bottom = y + BAND.top + BAND.height
    for (const { x, density, known, successes, troubles } of heatOf(scale, times, bars)) {
      const height = BAND.height * (0.35 + 0.65 * density)
      context.globalAlpha = known > 0 ? 0.75 : 0.4
      context.fillStyle =
        successes > 0 ? palette.outcomes.succeeded : x < now ? palette.faint : palette.accent
      context.fillRect(x, bottom - height, CELL - 1, height)
      if (troubles === 0) continue
      context.globalAlpha = 1
      context.fillStyle = palette.outcomes.failed
      const red = Math.max(4, height * (troubles / known))
      context.fillRect(x, bottom - red, CELL - 1, red)
    }
    context.globalAlpha = 1
  }

  /** A diamond: a period that did not run. */
  #mark(x: number, row: number, colour: string, size: number): void {
    const { context } = this.#frame
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
  #window(plan: RowPlan, period: Decision, y: number): void {
    const { context, scale, palette } = this.#frame
    const { schedule, constrained } = plan
    const x = xOf(scale, period.windowStart)
    const width = xOf(scale, period.windowEnd) - x
    if (width < 1) return
    const density = densityIn(plan, period)
    const steps = Math.max(1, Math.min(density.length, Math.floor(width / 2)))
    const past = period.windowEnd < this.#now ? 0.55 : 1
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

  /** The chosen time; hollow if a pause costs it. */
  #chosen(
    { chosen, nominal, windowStart, windowEnd }: Decision,
    paused: PausedJob | undefined,
    y: number,
  ): void {
    const { context, scale, palette } = this.#frame
    if (windowEnd > windowStart) {
      context.fillStyle = palette.faint
      context.fillRect(xOf(scale, nominal) - 0.5, y + BAND.top - 3, 1, 4)
    }
    if (chosen === null) return
    const future = chosen > this.#now
    context.globalAlpha = future ? 1 : 0.35
    if (future && paused !== undefined && paused.startOf(chosen) === undefined) {
      context.strokeStyle = palette.faint
      context.lineWidth = 1
      context.strokeRect(xOf(scale, chosen) - 1.5, y + BAND.top - 1.5, 3, BAND.height + 3)
      return
    }
    context.fillStyle = palette.accent
    context.fillRect(xOf(scale, chosen) - 1, y + BAND.top - 2, 2, BAND.height + 4)
    context.globalAlpha = 1
  }
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Fills a box with slanted lines. */
export function hatch(context: CanvasRenderingContext2D, colour: string, box: Box): void {
  const { x, y, width, height } = box
  context.save()
  context.beginPath()
  context.rect(x, y, width, height)
  context.clip()
  context.globalAlpha = 0.35
  context.strokeStyle = colour
  context.lineWidth = 1
  context.beginPath()
  // Aligned to the canvas, so that the lines of neighbouring boxes meet.
  const first = Math.floor((x - height) / HATCH) * HATCH
  for (let left = first; left < x + width; left += HATCH) {
    context.moveTo(left, y + height)
    context.lineTo(left + height, y)
  }
  context.stroke()
  context.restore()
}

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
