/** Pictures of the console for the documentation, in docs/images. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printInstant, upcoming } from '@kron/core'
import { parseJobFile } from '@kron/host'
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
  url: string,
  options: PageOptions = {},
  prepare?: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = await browser.open(url, { width: 1280, height: 720, ...options })
  await page.locator('.pulse.live').waitFor()
  await prepare?.(page)
  // Outcomes come for a few rows at a time, and are drawn in the next frame.
  await page.waitForTimeout(2_000)
  await page.screenshot({ path: `${root}docs/images/${name}.png` })
  await page.close()
}

const waitFor = (text: string) => (page: Page) => page.getByText(text).first().waitFor()
const rows = async (page: Page): Promise<void> => {
  await page.locator('.names .dot.succeeded').first().waitFor()
  await page.locator('canvas[aria-busy=false]').waitFor()
}

/** A period that needed several samples makes the better picture. */
function refusedAtFirst(name: string): string {
  const entry = entries.find(each => each.name === name)!
  for (const decision of upcoming(entry, now))
    if (decision.attemptCount >= 4) return printInstant(decision.nominal)
  throw new Error(`${name} needs more constraints for a picture`)
}

/** A fleet whose jobs all name round hours. */
const fleet = new Krond(
  Array.from({ length: 240 }, (_, i) => {
    const cron = i % 3 === 0 ? '0 * * * *' : `0 ${[0, 2, 3, 6, 12, 18][i % 6]} * * *`
    return `${cron} @win(after,${i % 3 === 0 ? '50m' : '3h'}) @policy(deadline=5m) name=host-${i} command=/bin/true`
  }),
  [],
  '/tmp/kron-fleet',
)

await krond.start()
await fleet.start()
const job = (name: string, period = ''): string => `${krond.url}#/job?id=${id(name)}&period=${period}`
const mistake = encodeURIComponent('0 2-25 * * MON @win(after,2 hours) @dist(bell)')
const dark = { colorScheme: 'dark' } as const
try {
  await shoot('console-timeline', `${krond.url}#/timeline?span=12h`, {}, rows)
  await shoot('console-timeline-hour-dark', `${krond.url}#/timeline?span=1h`, dark, async page => {
    await rows(page)
    const canvas = (await page.locator('.canvas canvas').boundingBox())!
    const row = (await page.getByText('feed/follow').boundingBox())!
    await page.mouse.move(canvas.x + canvas.width * 0.2, row.y + row.height / 2)
    await page.getByText('lateness').waitFor()
  })
  await shoot('console-load', `${fleet.url}#/load`, {}, waitFor('peak with windows'))
  const refused = refusedAtFirst('newsletter/send')
  await shoot('console-job', job('newsletter/send', refused), { height: 900 }, waitFor('recomputed'))
  await shoot('console-job-dark', job('cache/refresh'), { height: 900, ...dark }, waitFor('recomputed'))
  await shoot('console-not-run', `${krond.url}#/not-run`, {}, waitFor('an earlier execution'))
  await shoot('console-playground', `${krond.url}#/playground`, { height: 900 }, waitFor('starts it adds'))
  await shoot('console-mistake', `${krond.url}#/playground?s=${mistake}`, { height: 460 }, waitFor('hint'))
  await shoot('console-phone', `${krond.url}#/timeline?span=3h`, { width: 390, height: 780 }, rows)
} finally {
  await browser.close()
  await krond.remove()
  await fleet.remove()
}
