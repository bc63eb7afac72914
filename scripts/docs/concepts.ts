/** The five pictures of docs/concepts.md, drawn from what the engine decides. `npx node scripts/docs/concepts.ts` writes them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  explain,
  frameOf,
  type Job,
  next,
  parseInstant,
  parseSchedule,
  printInstant,
  recordOf,
  shapeOf,
} from '@kron/core'
import { root } from './pages.ts'

export const SCHEDULE = '0 2 * * * @tz(Europe/Paris) @win(after,2h) @dist(skewEarly)'
export const IDENTITY = '/etc/krond.d/jobs.kron:backup'
const NOMINAL = '2026-03-01T01:00:00Z'

const WIDTH = 680
const LEFT = 40
const RIGHT = 640
const STYLE = `text{font:13px system-ui,sans-serif;fill:#333}.small{font-size:11px;fill:#666}.mono{font-family:ui-monospace,monospace;font-size:12px}
.axis{stroke:#888}.quiet{fill:#8884}.band{fill:#2f7ebc33;stroke:#2f7ebc}.mark{fill:#d1702a;stroke:#d1702a}.line{fill:none;stroke:#2f7ebc;stroke-width:2}.bar{fill:#2f7ebc}.lead{stroke:#d1702a;stroke-dasharray:4 3;fill:none}.box{fill:#8881;stroke:#888}
@media (prefers-color-scheme:dark){text{fill:#ddd}.small{fill:#aaa}}`

const { job, nominal, decision, attempts } = example()
const { windowStart, windowEnd } = decision
const { u } = attempts[0]!
const chosen = decision.chosen!

function example() {
  const schedule = parseSchedule(SCHEDULE)
  const instant = parseInstant(NOMINAL)
  if (!schedule.ok || !instant.ok) throw new Error('the example of docs/concepts.md cannot be read')
  const job: Job = { identity: IDENTITY, schedule: schedule.value }
  return { job, nominal: instant.value, ...explain(job, instant.value) }
}

const svg = (label: string, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">
<style>${STYLE}</style>
${parts.join('\n')}
</svg>
`

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}"${more}>${words}</text>`
const middle = ' text-anchor="middle"'
const fixed = (value: number): string => value.toFixed(1)
const line = (x1: number, y1: number, x2: number, y2: number, kind: string): string =>
  `<line class="${kind}" x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}"/>`

/** A local time in Paris, which is an hour ahead of UTC on that day. */
const clock = (seconds: number): string => printInstant(seconds + 3_600).slice(11, 19)
/** The place of a second on the axis of the window, with a quarter of its length on both sides. */
function across(seconds: number): number {
  const margin = (windowEnd - windowStart) / 4
  const part = (seconds - windowStart + margin) / (windowEnd - windowStart + 2 * margin)
  return LEFT + part * (RIGHT - LEFT)
}

function period(): string {
  const { cron, zone } = job.schedule
  const from = nominal - 3 * 86_400 - 7_200
  const to = nominal + 3 * 86_400 + 14_400
  const x = (at: number): number => LEFT + ((at - from) / (to - from)) * (RIGHT - LEFT)
  const parts = [line(LEFT, 70, RIGHT, 70, 'axis')]
  for (let at = next(cron, zone, from); at !== undefined && at < to; at = next(cron, zone, at)) {
    const kind = at === nominal ? 'mark' : 'quiet'
    parts.push(`<circle class="${kind}" cx="${fixed(x(at))}" cy="70" r="7"/>`)
    parts.push(text(x(at), 100, printInstant(at).slice(5, 10), ` class="small"${middle}`))
  }
  parts.push(text(x(nominal), 30, 'one period', middle), line(x(nominal), 36, x(nominal), 60, 'lead'))
  parts.push(text(LEFT, 128, `its id: ${NOMINAL} (02:00 in Paris)`, ' class="mono"'))
  return svg('Every day at 02:00 in Paris is one period; its id is that instant in UTC', 140, parts)
}

function timeAxis(y: number): string[] {
  return [
    line(LEFT, y, RIGHT, y, 'axis'),
    ...[windowStart, (windowStart + windowEnd) / 2, windowEnd].flatMap(at => [
      line(across(at), y, across(at), y + 5, 'axis'),
      text(across(at), y + 20, clock(at).slice(0, 5), ` class="small"${middle}`),
    ]),
  ]
}

function windowPicture(): string {
  const [from, to] = [across(windowStart), across(windowEnd)]
  return svg('The window of the period reaches from 02:00 to 04:00', 130, [
    `<rect class="band" x="${fixed(from)}" y="40" width="${fixed(to - from)}" height="40"/>`,
    `<circle class="mark" cx="${fixed(from)}" cy="80" r="5"/>`,
    text(from, 30, 'nominal time', middle),
    text(
      (from + to) / 2,
      65,
      `${(windowEnd - windowStart + 1).toLocaleString('en')} seconds to choose from`,
      middle,
    ),
    ...timeAxis(80),
  ])
}

/** The share of runs up to a part of the window. */
function cumulative(): (x: number) => number {
  const seconds = windowEnd - windowStart
  const shape = shapeOf(job.schedule.distribution, frameOf(job.schedule, nominal, windowStart, seconds))
  return x => shape.cdf(x)
}

const BARS = 40
function distribution(): string {
  const share = cumulative()
  const shares = Array.from({ length: BARS }, (_, i) => share((i + 1) / BARS) - share(i / BARS))
  const most = Math.max(...shares)
  const [from, to] = [across(windowStart), across(windowEnd)]
  const step = (to - from) / BARS
  return svg('skewEarly makes the early part of the window likelier', 170, [
    text(LEFT, 24, '@dist(skewEarly): early seconds are likelier'),
    ...shares.map((each, i) => {
      const height = (each / most) * 80
      return `<rect class="bar" x="${fixed(from + i * step)}" y="${fixed(120 - height)}" width="${fixed(step - 1)}" height="${fixed(height)}"/>`
    }),
    ...timeAxis(120),
  ])
}

function seed(): string {
  const boxes: readonly (readonly [string, string])[] = [
    ['identity', IDENTITY],
    ['period', NOMINAL],
    ['salt', '(none)'],
  ]
  const hash = recordOf(decision).seedHash
  return svg('Identity, period and salt are hashed; the hash gives the number u', 205, [
    ...boxes.flatMap(([name, value], i) => [
      `<rect class="box" x="${LEFT}" y="${16 + i * 36}" width="290" height="28" rx="5"/>`,
      text(LEFT + 10, 35 + i * 36, name, ' class="small"'),
      text(LEFT + 62, 35 + i * 36, value, ' class="mono"'),
      line(LEFT + 290, 30 + i * 36, 385, 66, 'axis'),
    ]),
    `<rect class="band" x="385" y="50" width="92" height="32" rx="5"/>`,
    text(431, 71, 'SHA-256', middle),
    line(477, 66, 505, 66, 'axis'),
    text(510, 62, `${hash.slice(0, 16)}…`, ' class="mono"'),
    text(510, 80, 'the seed hash', ' class="small"'),
    line(565, 90, 565, 122, 'lead'),
    text(565, 142, `u = ${u.toFixed(6)}`, middle),
    text(565, 160, 'the first draw of SplitMix64', ` class="small"${middle}`),
    text(LEFT, 192, 'The same three texts give the same number, on every machine, for ever.'),
  ])
}

const TALL = 150
function chosenPicture(): string {
  const share = cumulative()
  const [from, to] = [across(windowStart), across(windowEnd)]
  const y = (part: number): number => 180 - part * TALL
  const points = Array.from({ length: 101 }, (_, i) => {
    const x = i / 100
    return `${fixed(from + x * (to - from))},${fixed(y(share(x)))}`
  })
  const at = across(chosen)
  return svg('The number u meets the curve at the chosen second', 250, [
    text(LEFT, 20, 'share of runs that start up to here', ' class="small"'),
    line(from, y(1), from, y(0), 'axis'),
    `<polyline class="line" points="${points.join(' ')}"/>`,
    `<polyline class="lead" points="${fixed(from)},${fixed(y(u))} ${fixed(at)},${fixed(y(u))} ${fixed(at)},180"/>`,
    text(from - 6, y(u) + 4, `u = ${u.toFixed(3)}`, ' text-anchor="end"'),
    `<circle class="mark" cx="${fixed(at)}" cy="180" r="5"/>`,
    ...timeAxis(180),
    text(
      LEFT,
      234,
      `chosen: ${clock(chosen)} in Paris, second ${(chosen - windowStart).toLocaleString('en')} of the window`,
    ),
  ])
}

/** Each picture by the name of its file in docs/images. */
export const CONCEPTS: Readonly<Record<string, () => string>> = {
  'concept-period.svg': period,
  'concept-window.svg': windowPicture,
  'concept-distribution.svg': distribution,
  'concept-seed.svg': seed,
  'concept-chosen.svg': chosenPicture,
}

if (import.meta.main)
  for (const [name, draw] of Object.entries(CONCEPTS)) writeFileSync(join(root, 'docs/images', name), draw())
