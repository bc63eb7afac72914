/** Pictures of the console for the documentation, in docs/images. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseJobFile } from '@kron/krontab/format'
import type { Page } from 'playwright-core'
import { Browser, type PageOptions } from './browser.test-support.ts'
import { Krond } from './krond.test-support.ts'
import { writeHistory } from './made-up-history.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const krond = new Krond([], ['--history', '400'], '/tmp/kron-demo')
const now = Math.floor(Date.now() / 1_000)
const files = globSync('examples/*.kron', { cwd: root })
for (const file of files) krond.write(readFileSync(`${root}${file}`, 'utf8').split('\n'), basename(file))
const entries = files.flatMap(file => {
  const path = krond.pathOf(basename(file))
  return parseJobFile(readFileSync(path, 'utf8'), path).entries
})
writeHistory(krond.stateDir, entries, now, 14)

const id = (name: string): string => encodeURIComponent(entries.find(entry => entry.name === name)!.identity)
const browser = new Browser()

async function shoot(
  name: string,
  hash: string,
  options: PageOptions = {},
  prepare?: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = await browser.open(`${krond.url}${hash}`, { width: 1280, height: 720, ...options })
  await page.locator('.pulse.live').waitFor()
  await prepare?.(page)
  await page.waitForLoadState('networkidle').catch(() => {})
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 400)))
  await page.screenshot({ path: `${root}docs/images/${name}.png` })
  await page.close()
}

const waitFor = (text: string) => (page: Page) => page.getByText(text).first().waitFor()

await krond.start()
try {
  await shoot('console-timeline', '#/timeline?span=12h', {}, async page => {
    await page.locator('.names .dot.succeeded').first().waitFor()
  })
  await shoot('console-timeline-hour-dark', '#/timeline?span=1h', { colorScheme: 'dark' }, async page => {
    await page.locator('.names .dot.succeeded').first().waitFor()
    const canvas = (await page.locator('.canvas canvas').boundingBox())!
    await page.mouse.move(canvas.x + canvas.width * 0.72, canvas.y + 34 + 32 * 3.5)
  })
  await shoot('console-load', '#/load', {}, waitFor('peak with windows'))
  await shoot('console-job', `#/job?id=${id('newsletter/send')}`, { height: 900 }, waitFor('recomputed'))
  await shoot(
    'console-job-dark',
    `#/job?id=${id('backup/database')}`,
    { height: 900, colorScheme: 'dark' },
    waitFor('recomputed'),
  )
  await shoot('console-not-run', '#/not-run', {}, waitFor('an earlier execution'))
  await shoot('console-playground', '#/playground', { height: 900 }, waitFor('starts it adds'))
  await shoot(
    'console-playground-mistake',
    `#/playground?s=${encodeURIComponent('0 2-25 * * MON @win(after,2 hours) @dist(bell)')}`,
    { height: 460 },
    waitFor('hint'),
  )
  await shoot('console-phone', '#/timeline?span=3h', { width: 390, height: 780 }, async page => {
    await page.locator('.names .dot.succeeded').first().waitFor()
  })
} finally {
  await browser.close()
  await krond.remove()
}
