import { Browser } from '../../../packages/console/e2e/browser.test-support.ts'
import type { Krond } from '../../../packages/console/e2e/krond.test-support.ts'
import { digits, printTable } from '../table.ts'
import { quantile } from './load.ts'

const ROUNDS = 5

export async function measurePage(krond: Krond, jobs: number): Promise<void> {
  const browser = new Browser()
  try {
    const page = await browser.open(`${krond.url}#/timeline`)
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
    const ms = (values: readonly number[], share: number): string => `${digits(quantile(values, share))} ms`
    printTable(
      [`page, ${jobs.toLocaleString('en')} jobs, ${ROUNDS} times`, 'p50', 'p99'],
      [
        ['first contentful paint', ms(paints, 0.5), ms(paints, 0.99)],
        ['all jobs listed', ms(complete, 0.5), ms(complete, 0.99)],
        ['a frame of scrolling', ms(scrolls, 0.5), ms(scrolls, 0.99)],
      ],
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
