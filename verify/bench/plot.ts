import type { Curve, Line } from './notebook.ts'

const WIDTH = 670
const HEIGHT = 320
const LEFT = 76
const RIGHT = 180
const TOP = 40
const BOTTOM = 44

/** Distinct in light and dark, and to most eyes that tell few colours apart. */
export const COLOURS = ['#2f7ebc', '#d1702a', '#3f9b5b', '#a05bb8', '#b8912b', '#6b7280']

/** Text and lines that can be read in light and dark. */
export const STYLE = `text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:14px;font-weight:600}
.grid{stroke:#8884;stroke-width:1}.ideal{stroke:#888;stroke-dasharray:4 4}polyline{fill:none;stroke-width:2}
@media (prefers-color-scheme:dark){text{fill:#ddd}}`

/** Both axes in powers of ten, with a dashed line for growth in proportion to the jobs. */
export function plotCurve(curve: Curve): string {
  const points = curve.lines.flatMap(line => line.points)
  const x = scale(
    points.map(([jobs]) => jobs),
    LEFT,
    WIDTH - RIGHT,
  )
  const y = scale(
    points.map(([, value]) => value),
    HEIGHT - BOTTOM,
    TOP,
  )
  const parts = [
    `<text class="title" x="${LEFT}" y="20">${escaped(curve.title)}, ${escaped(curve.unit)}</text>`,
    ...x.ticks.map(
      tick =>
        `<line class="grid" x1="${x.at(tick)}" x2="${x.at(tick)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>` +
        `<text x="${x.at(tick)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
    ),
    ...y.ticks.map(
      tick =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.at(tick)}" y2="${y.at(tick)}"/>` +
        `<text x="${LEFT - 8}" y="${y.at(tick) + 4}" text-anchor="end">${tick.toLocaleString('en')}</text>`,
    ),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">jobs</text>`,
    ideal(curve.lines, x, y),
    ...labelled(curve.lines, y).map(({ line, labelY }, i) => {
      const colour = COLOURS[i % COLOURS.length]!
      const path = line.points.map(([jobs, value]) => `${x.at(jobs)},${y.at(value)}`).join(' ')
      const dots = line.points
        .map(([jobs, value]) => `<circle cx="${x.at(jobs)}" cy="${y.at(value)}" r="3" fill="${colour}"/>`)
        .join('')
      const label = `<text x="${WIDTH - RIGHT + 10}" y="${labelY}" style="fill:${colour}">${escaped(line.name)}</text>`
      return `<polyline points="${path}" stroke="${colour}"/>${dots}${label}`
    }),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(curve.title)}">
<style>${STYLE}</style>
${parts.join('\n')}
</svg>
`
}

interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
}

function scale(values: readonly number[], from: number, to: number): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9))
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
    at: value => Math.round(from + ((Math.log10(value) - low) / (high - low)) * (to - from)),
  }
}

/** From the first point of the first line, until it leaves the picture. */
function ideal(lines: readonly Line[], x: Scale, y: Scale): string {
  const [jobs, value] = lines[0]!.points[0]!
  const most = Math.min(x.ticks.at(-1)! / jobs, y.ticks.at(-1)! / value)
  return `<line class="ideal" x1="${x.at(jobs)}" y1="${y.at(value)}" x2="${x.at(jobs * most)}" y2="${y.at(value * most)}"/>`
}

/** Labels stand at the ends of their lines, moved apart where they would cover each other. */
function labelled(lines: readonly Line[], y: Scale): { line: Line; labelY: number }[] {
  const ends = lines.map(line => ({ line, labelY: y.at(line.points.at(-1)![1]) + 4 }))
  const byHeight = ends.toSorted((a, b) => a.labelY - b.labelY)
  for (const [i, end] of byHeight.entries()) {
    const above = byHeight[i - 1]
    if (above !== undefined) end.labelY = Math.max(end.labelY, above.labelY + 15)
  }
  return ends
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
