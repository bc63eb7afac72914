import { type Schedule, startOffset } from '@kron/core'
import { densityOf } from '../model/density.ts'
import { isOpen } from '../timeline/row-cache.ts'

export const PLOT_WIDTH = 1_000
const STEPS = 120

export interface DensityPlotProps {
  readonly schedule: Schedule
  readonly windowStart: number
  readonly windowEnd: number
  readonly height: number
}

/** How likely each part of a window is; what a constraint refuses is hatched. Drawn inside an SVG of PLOT_WIDTH. */
export function DensityPlot({ schedule, windowStart, windowEnd, height }: DensityPlotProps) {
  const density = densityOf(schedule, STEPS, windowStart - startOffset(schedule.window))
  const step = PLOT_WIDTH / density.length
  const top = (share: number): number => height - 4 - share * (height - 14)
  const line = density
    .map((share, i) => `L${((i + 0.5) * step).toFixed(1)} ${top(share).toFixed(1)}`)
    .join('')
  const area = `M0 ${height}L0 ${top(density[0]!).toFixed(1)}${line}L${PLOT_WIDTH} ${top(density.at(-1)!).toFixed(1)}L${PLOT_WIDTH} ${height}z`
  return (
    <g class="density">
      <path class="density-area" d={area} />
      {refusedParts(schedule, windowStart, windowEnd).map(({ from, to }) => (
        <rect
          key={from}
          class="refused"
          x={from * PLOT_WIDTH}
          y="0"
          width={(to - from) * PLOT_WIDTH}
          height={height}
        />
      ))}
    </g>
  )
}

/** The pattern of what is refused; once in every SVG that shows a density. */
export const Hatch = () => (
  <defs>
    <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="2" height="6" class="hatch" />
    </pattern>
  </defs>
)

/** The parts of the window that the constraints refuse, as shares of it. */
function refusedParts(schedule: Schedule, start: number, end: number): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = []
  const seconds = end - start
  if (seconds === 0) return parts
  const fine = Math.min(600, seconds)
  for (let i = 0; i < fine; i++) {
    if (isOpen(schedule, Math.floor(start + ((i + 0.5) / fine) * seconds))) continue
    const last = parts.at(-1)
    if (last !== undefined && Math.abs(last.to - i / fine) < 1e-9) last.to = (i + 1) / fine
    else parts.push({ from: i / fine, to: (i + 1) / fine })
  }
  return parts
}
