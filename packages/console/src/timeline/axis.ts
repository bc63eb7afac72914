import { dayText, minuteText, type ZoneName } from '../model/format.ts'
import { type TimeScale, ticks, xOf } from '../model/time-scale.ts'
import { AXIS } from './draw.ts'
import type { Palette } from './palette.ts'

/** The widest labels, in pixels: one that would be cut is left out. */
const LABEL = 40
const DAY_LABEL = 70

/** Vertical lines at round times; their labels go into the axis row, drawn last so that rows slide beneath it. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  palette: Palette,
  offset: number,
  height: number,
): void {
  context.fillStyle = palette.line
  for (const at of ticks(scale, 90, offset))
    context.fillRect(Math.round(xOf(scale, at)), AXIS, 1, height - AXIS)
}

export function drawAxis(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  palette: Palette,
  zone: ZoneName,
  offset: number,
  background: string,
): void {
  context.fillStyle = background
  context.fillRect(0, 0, scale.width, AXIS)
  context.fillStyle = palette.line
  context.fillRect(0, AXIS - 1, scale.width, 1)
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  let day = ''
  for (const at of ticks(scale, 90, offset)) {
    const x = Math.round(xOf(scale, at))
    const today = dayText(at, zone)
    context.fillStyle = palette.line
    context.fillRect(x, AXIS - 16, 1, 16)
    if (x + LABEL > scale.width) continue
    context.fillStyle = palette.text
    context.font = '12px system-ui, sans-serif'
    context.fillText(minuteText(at, zone), x + 5, AXIS - 10)
    if (today !== day && x + DAY_LABEL <= scale.width) {
      context.fillStyle = palette.faint
      context.font = '11px system-ui, sans-serif'
      context.fillText(today, x + 5, AXIS - 25)
      day = today
    }
  }
}

export function drawNow(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  palette: Palette,
  now: number,
  height: number,
): void {
  if (now < scale.from || now > scale.to) return
  const x = Math.round(xOf(scale, now))
  context.fillStyle = palette.now
  context.fillRect(x - 0.5, AXIS - 6, 1.5, height)
  context.beginPath()
  context.arc(x + 0.25, AXIS - 6, 3.5, 0, Math.PI * 2)
  context.fill()
}
