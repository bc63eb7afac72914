import { dayText, minuteText, type ZoneName } from '../model/format.ts'
import { ticks, xOf } from '../model/time-scale.ts'
import { AXIS, type Frame, hatch } from './draw.ts'

/** The widest labels, in pixels: one that would be cut is left out. */
const LABEL = 40
const DAY_LABEL = 70

/** Vertical lines at round times; their labels go into the axis row, drawn last so that rows slide beneath it. */
export function drawGrid({ context, scale, palette, height }: Frame, offset: number): void {
  context.fillStyle = palette.line
  for (const at of ticks(scale, 90, offset))
    context.fillRect(Math.round(xOf(scale, at)), AXIS, 1, height - AXIS)
}

export function drawAxis({ context, scale, palette }: Frame, zone: ZoneName, offset: number): void {
  context.fillStyle = palette.surface
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

export function drawNow({ context, scale, palette, height }: Frame, now: number): void {
  if (now < scale.from || now > scale.to) return
  const x = Math.round(xOf(scale, now))
  context.fillStyle = palette.now
  context.fillRect(x - 0.5, AXIS - 6, 1.5, height)
  context.beginPath()
  context.arc(x + 0.25, AXIS - 6, 3.5, 0, Math.PI * 2)
  context.fill()
}

/** The room that the words need, in pixels. */
const WORDS = 150

/** The time before krond first ran here: nothing of it can be known. */
export function drawBefore({ context, scale, palette, height }: Frame, firstSeen: number): void {
  const width = Math.min(scale.width, xOf(scale, firstSeen))
  if (width <= 0) return
  const box = { x: 0, y: AXIS, width, height: height - AXIS }
  context.globalAlpha = 0.8
  context.fillStyle = palette.surface
  context.fillRect(box.x, box.y, box.width, box.height)
  context.globalAlpha = 1
  hatch(context, palette.faint, box)
  if (width < WORDS) return
  context.font = '12px system-ui, sans-serif'
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  const words = 'before krond ran'
  const room = context.measureText(words).width + 16
  context.fillStyle = palette.surface
  context.fillRect(width / 2 - room / 2, AXIS + 8, room, 22)
  context.fillStyle = palette.faint
  context.fillText(words, width / 2, AXIS + 19)
}
