import { COLOURS, escaped, STYLE } from '../bench/plot.ts'
import { CAMPAIGNS, type Json } from './campaigns.ts'
import { count } from './figures.ts'

const WIDTH = 670
const ROW = 24

const drawing = (title: string, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}</style>
<text class="title" x="8" y="20">${escaped(title)}</text>
${parts.join('\n')}
</svg>
`

const text = (x: number, y: number, words: string, anchor = 'start'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(words)}</text>`

const rectangle = (x: number, y: number, width: number, height: number, style: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" style="${style}"/>`

/** Each goal of a campaign is a bar; the line is the goal. */
export function effortPicture(read: (name: string) => Json | undefined): string {
  const [left, unit, top] = [330, 80, 56]
  const bars = CAMPAIGNS.flatMap(({ title, record, findings }) => {
    const figures = read(record)
    const efforts = figures === undefined ? [] : (findings(figures)?.efforts ?? [])
    return efforts.flatMap(each =>
      each.wanted === undefined
        ? []
        : [{ name: `${title}: ${each.unit}`, count: each.count, ratio: each.count / each.wanted }],
    )
  })
  const bottom = top + bars.length * ROW
  return drawing('What the campaigns tried, beside the goals set for them', bottom + 12, [
    text(left + unit, top - 10, 'the goal', 'middle'),
    ...bars.map(({ name, count: tried, ratio }, i) => {
      const y = top + i * ROW
      const width = Math.round(Math.min(ratio, 2.6) * unit)
      return [
        text(left - 8, y + 14, name, 'end'),
        rectangle(left, y + 2, width, ROW - 8, `fill:${COLOURS[0]}`),
        text(left + width + 6, y + 14, `${count(tried)}${ratio > 2.6 ? ` (${ratio.toFixed(1)}×)` : ''}`),
      ].join('\n')
    }),
    `<line class="ideal" x1="${left + unit}" x2="${left + unit}" y1="${top - 4}" y2="${bottom}"/>`,
  ])
}

/** How a harness has a part: the real one, a model of it, both in turn, or not at all. */
type Reality = 'real' | 'model' | 'both' | 'none'

const PARTS = ['clock', 'disk', 'processes', 'users', 'API server', 'database'] as const

/** The reality of each of `PARTS`, in that order. */
const HARNESSES: readonly (readonly [string, ...Reality[]])[] = [
  ['simulation', 'model', 'model', 'model', 'none', 'none', 'none'],
  ["the operator's histories", 'model', 'none', 'none', 'none', 'model', 'none'],
  ['damage', 'both', 'both', 'both', 'none', 'none', 'none'],
  ['wrong clocks', 'model', 'real', 'real', 'none', 'none', 'none'],
  ['torture', 'both', 'real', 'real', 'none', 'real', 'real'],
  ['kills at every system call', 'real', 'real', 'real', 'none', 'none', 'none'],
  ['users and attacks', 'real', 'real', 'real', 'real', 'none', 'none'],
  ['beside cron', 'model', 'real', 'real', 'real', 'none', 'none'],
  ['cluster', 'real', 'none', 'model', 'none', 'real', 'none'],
]

const PAINT: Readonly<Record<Exclude<Reality, 'none'>, string>> = {
  real: `fill:${COLOURS[2]}`,
  both: `fill:${COLOURS[2]};fill-opacity:.45`,
  model: `fill:none;stroke:${COLOURS[1]};stroke-width:2`,
}

/** Which parts of the world are real in which harness. */
export function realityPicture(): string {
  const [left, column, top] = [220, 72, 62]
  const legend = top + HARNESSES.length * ROW + 22
  const swatch = (x: number, kind: keyof typeof PAINT, words: string): string =>
    `${rectangle(x, legend - 11, 14, 14, PAINT[kind])}\n${text(x + 20, legend, words)}`
  return drawing('Which parts are real in which harness', legend + 14, [
    ...PARTS.map((part, i) => text(left + i * column + column / 2, top - 10, part, 'middle')),
    ...HARNESSES.flatMap(([name, ...cells], row) => {
      const y = top + row * ROW
      return [
        text(left - 12, y + 15, name, 'end'),
        ...cells.flatMap((cell, i) =>
          cell === 'none'
            ? []
            : [rectangle(left + i * column + 12, y + 2, column - 24, ROW - 6, PAINT[cell])],
        ),
      ]
    }),
    swatch(left, 'real', 'the real thing'),
    swatch(left + 130, 'both', 'both in turn'),
    swatch(left + 250, 'model', 'a model'),
  ])
}
