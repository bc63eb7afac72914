/** The pictures of docs/guides/fleet.md, drawn from what the engine decides. */
import { type Balanceable, balance, type Job, loadOf, PeriodOfFleet, parseSchedule } from '@kron/core'

const WIDTH = 670
const HEIGHT = 130
const LEFT = 50
const RIGHT = 20
const FROM = Date.parse('2026-03-02T02:00:00Z') / 1_000

const STYLE = `text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:13px;font-weight:600}.axis{stroke:#8888}
.herd{fill:#d1702a}.spread{fill:#2f7ebc}@media (prefers-color-scheme:dark){text{fill:#ddd}}`

interface Panel {
  readonly title: string
  readonly kind: 'herd' | 'spread'
  readonly counts: ArrayLike<number>
}

/** Histograms one above the other, each with a scale of its own. */
function picture(label: string, panels: readonly Panel[], ends: readonly [string, string]): string {
  const parts = panels.flatMap(({ title, kind, counts }, i) => {
    const top = i * (HEIGHT + 46) + 24
    const peak = Math.max(1, ...Array.from(counts))
    const step = (WIDTH - LEFT - RIGHT) / counts.length
    const bars = Array.from(counts).flatMap((count, n) => {
      const height = (count / peak) * HEIGHT
      if (count === 0) return []
      return `<rect class="${kind}" x="${(LEFT + n * step).toFixed(1)}" y="${(top + HEIGHT - height).toFixed(1)}" width="${Math.max(1, step - 0.5).toFixed(1)}" height="${height.toFixed(1)}"/>`
    })
    const base = top + HEIGHT
    return [
      `<text class="title" x="${LEFT}" y="${top - 8}">${title}</text>`,
      `<text x="${LEFT - 6}" y="${top + 10}" text-anchor="end">${peak.toLocaleString('en')}</text>`,
      `<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${base}" y2="${base}"/>`,
      `<text x="${LEFT}" y="${base + 15}">${ends[0]}</text>`,
      `<text x="${WIDTH - RIGHT}" y="${base + 15}" text-anchor="end">${ends[1]}</text>`,
      ...bars,
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${panels.length * (HEIGHT + 46)}" role="img" aria-label="${label}">
<style>${STYLE}</style>
${parts.join('\n')}
</svg>
`
}

function jobOf(text: string, identity: string): Job {
  const schedule = parseSchedule(text)
  if (!schedule.ok) throw new Error(schedule.faults[0]!.message)
  return { identity, schedule: schedule.value }
}

function herd(): string {
  const period = new PeriodOfFleet(jobOf('0 2 * * * @win(after,2h)', '/etc/krond.d/jobs.kron:backup'), FROM)
  const perMinute = (saltOf: (host: number) => string): Uint32Array => {
    const counts = new Uint32Array(121)
    for (let host = 0; host < 1_000; host++)
      counts[Math.floor((period.chosen(saltOf(host))! - FROM) / 60)]! += 1
    return counts
  }
  return picture(
    'Starts of one job on 1,000 hosts, without a salt and with one for each host',
    [
      { title: '1,000 hosts without a salt, starts per minute', kind: 'herd', counts: perMinute(() => '') },
      {
        title: 'the same with salt = %H',
        kind: 'spread',
        counts: perMinute(host => `web${host}.example.org`),
      },
    ],
    ['02:00', '04:00'],
  )
}

function balanced(): string {
  const jobs = Array.from({ length: 300 }, (_, i): Balanceable => {
    const text = ['0 2 * * * @win(after,2h)', '30 2 * * * @win(around,1h)', '0 3 * * * @win(after,30m)'][
      i % 3
    ]!
    return { job: jobOf(text, `/etc/krond.d/jobs.kron:job-${i}`), written: '', base: '' }
  })
  const span = { from: FROM, to: FROM + 7_200, bucket: 60 }
  const { before, after } = balance(jobs, written => [written], span)
  const title = (counts: Uint32Array, when: string): string =>
    `300 jobs ${when}: at most ${loadOf(counts).peak} starts in a minute`
  return picture(
    'Starts of 300 jobs before and after krontab balance',
    [
      { title: title(before, 'as they are'), kind: 'herd', counts: before },
      { title: title(after, 'after krontab balance'), kind: 'spread', counts: after },
    ],
    ['02:00', '04:00'],
  )
}

/** Each picture by the name of its file in docs/images. */
export const PICTURES: Readonly<Record<string, () => string>> = {
  'fleet-herd.svg': herd,
  'fleet-balance.svg': balanced,
}
