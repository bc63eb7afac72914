/** The API beside /healthz, the console in a browser, and the schedule under both, with 10,000 jobs. */
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { Browser } from '../packages/console/e2e/browser.test-support.ts'
import { Krond } from '../packages/console/e2e/krond.test-support.ts'

const JOBS = 10_000
const ROUNDS = 5
/** How long the schedule is watched, once in peace and once while everything is asked for without a pause. */
const WATCHED_MS = 60_000

const PATHS = [
  '/healthz',
  '/api/v1/status',
  '/api/v1/jobs?limit=100',
  '/api/v1/jobs?limit=1000',
  '/api/v1/plan?count=100',
  '/api/v1/history?limit=100',
  '/api/v1/running',
  '/metrics',
  '/api/v1/forecast?for=24h&bucket=5m',
]

export default async function run(): Promise<void> {
  const krond = new Krond(jobLines())
  await krond.start()
  // A first start writes 10,000 state files, which is no part of what is measured here.
  await pause(15_000)
  try {
    const idle = await lateness(krond, pause(WATCHED_MS))
    const api = measureApi(krond)
    const loaded = await lateness(krond, api)
    printApi(await api)
    console.log(
      `\nstart lateness   p50 ${idle.p50}  p99 ${idle.p99} when nobody looks (${idle.count} starts)`,
    )
    console.log(
      `                 p50 ${loaded.p50}  p99 ${loaded.p99} while the API is measured (${loaded.count} starts)`,
    )
    if (existsSync(process.env['KRON_CHROMIUM'] ?? '/usr/bin/chromium')) await measurePage(krond)
    else console.log('page: no Chromium here; npm run test:browser installs one')
  } finally {
    await krond.remove()
  }
}

/** Of 10,000 jobs 300 start every minute, spread over it. */
const jobLines = (): string[] =>
  Array.from({ length: JOBS }, (_, i) => {
    const cron = i < 300 ? '* * * * *' : `${i % 60} ${i % 24} * * *`
    return `${cron} @win(after,55s) @policy(deadline=30s) name=job-${String(i).padStart(5, '0')} command=/bin/true`
  })

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds from the request to the last byte. */
function timed(krond: Krond, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    request(new URL(path, krond.url), { agent }, response => {
      response.resume()
      response.on('end', () => resolve(performance.now() - begun))
    })
      .on('error', reject)
      .end()
  })
}

/** Every path in turn, so that all meet the same machine. */
async function measureApi(krond: Krond): Promise<Map<string, number[]>> {
  const timings = new Map<string, number[]>(PATHS.map(path => [path, []]))
  const firstForecast = await timed(krond, PATHS.at(-1)!)
  console.log(`first forecast of a day, in slices: ${firstForecast.toFixed(0)} ms`)
  for (const end = performance.now() + WATCHED_MS; performance.now() < end; )
    for (const path of PATHS) timings.get(path)!.push(await timed(krond, path))
  return timings
}

function printApi(timings: ReadonlyMap<string, readonly number[]>): void {
  const health = quantile(timings.get('/healthz')!, 0.99)
  console.log(`${'path'.padEnd(38)} ${'p50 ms'.padStart(8)} ${'p99 ms'.padStart(8)}  p99 beside /healthz`)
  for (const [path, values] of timings) {
    const [p50, p99] = [quantile(values, 0.5), quantile(values, 0.99)]
    console.log(
      `${path.padEnd(38)} ${p50.toFixed(2).padStart(8)} ${p99.toFixed(2).padStart(8)}  ${(p99 / health).toFixed(1)}×`,
    )
  }
}

const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

interface Lateness {
  readonly p50: string
  readonly p99: string
  readonly count: number
}

/** What the daemon's own histogram gained meanwhile: the bound of the bucket that holds the quantile. */
async function lateness(krond: Krond, meanwhile: Promise<unknown>): Promise<Lateness> {
  const before = await buckets(krond)
  await meanwhile
  const after = await buckets(krond)
  const gained = after.map(([bound, count], i) => [bound, count - before[i]![1]] as const)
  const total = gained.at(-1)![1]
  const bound = (share: number): string => `≤ ${gained.find(([, count]) => count >= total * share)![0]} s`
  return { p50: bound(0.5), p99: bound(0.99), count: total }
}

async function buckets(krond: Krond): Promise<(readonly [string, number])[]> {
  const text = await (await fetch(`${krond.url}metrics`)).text()
  return [...text.matchAll(/kron_start_lateness_seconds_bucket\{le="([^"]+)"\} (\d+)/g)].map(
    ([, bound, count]) => [bound!, Number(count)] as const,
  )
}

async function measurePage(krond: Krond): Promise<void> {
  const browser = new Browser()
  try {
    const page = await browser.open(krond.url)
    await page.getByText('10,000 jobs').waitFor()
    const paints: number[] = []
    const complete: number[] = []
    const scrolls: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await page.reload()
      await page.getByText('10,000 jobs').waitFor()
      const [paint, all] = await page.evaluate(() => [
        performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
        performance.now(),
      ])
      paints.push(paint!)
      complete.push(all!)
      scrolls.push(...(await page.locator('.rows').evaluate(scrollThrough)))
    }
    console.log(`\npage, ${JOBS} jobs, medians of ${ROUNDS}:`)
    console.log(
      `first contentful paint ${quantile(paints, 0.5).toFixed(0)} ms, all jobs listed ${quantile(complete, 0.5).toFixed(0)} ms`,
    )
    console.log(
      `a frame of scrolling: p50 ${quantile(scrolls, 0.5).toFixed(1)} ms, p99 ${quantile(scrolls, 0.99).toFixed(1)} ms`,
    )
  } finally {
    await browser.close()
  }
}

/** Jumps a screen at each frame, through rows never seen before, and times the frames. Runs in the page. */
async function scrollThrough(rows: Element): Promise<number[]> {
  const frames: number[] = []
  const frame = (): Promise<number> => new Promise(resolve => requestAnimationFrame(resolve))
  let last = await frame()
  for (let i = 0; i < 120; i++) {
    rows.scrollTop += rows.clientHeight
    const now = await frame()
    frames.push(now - last)
    last = now
  }
  return frames
}
