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
  const page = await browser.open(url, { width: 1280, height: 720, token, ...options })
  await page.locator('.pulse.live').waitFor()
  await prepare?.(page)
  // Outcomes come for a few rows at a time, and are drawn in the next frame.
  await page.waitForTimeout(2_000)
  await page.screenshot({ path: `${root}docs/images/${name}.png` })
  await page.close()
}

const waitFor = (text: string) => (page: Page) => page.getByText(text).first().waitFor()
const rows = async (page: Page): Promise<void> => {
  await page.locator('.names .dot[title^="last succeeded"]').first().waitFor()
  await page.locator('canvas[aria-busy=false]').waitFor()
}

/** A period that needed several samples makes the better picture. */
function refusedAtFirst(name: string): string {
  const entry = entries.find(each => each.name === name)!
  for (const decision of upcoming(entry, now))
    if (decision.attemptCount >= 4) return printInstant(decision.nominal)
  throw new Error(`${name} needs more constraints for a picture`)
}

await krond.start()
const { token } = krond
const job = (name: string, more = ''): string => `${krond.url}#/job?id=${id(name)}${more}`
const mistake = encodeURIComponent('0 2-25 * * MON @win(after,2 hours) @dist(bell)')
const dark = { colorScheme: 'dark' } as const

/** A failure with real output, and something that runs. */
async function runByHand(name: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-kron-request': '1',
    'content-type': 'application/json',
  }
  const url = `${krond.url}api/v1/jobs/${id(name)}/trigger`
  await fetch(url, { method: 'POST', headers, body: '{}' })
}

try {
  await runByHand('import/flaky')
  await runByHand('cache/refresh')
  await shoot('console-job', job('import/flaky'), { height: 900 }, waitFor('does not answer'))
  await shoot('console-overview', krond.url, { height: 860 }, waitFor('need'))
  await shoot('console-overview-dark', krond.url, { height: 860, ...dark }, waitFor('need'))
  await shoot('console-phone', krond.url, { width: 390, height: 780 }, waitFor('need'))
  await shoot('console-timeline', `${krond.url}#/timeline`, {}, rows)
  await shoot('console-timeline-hour-dark', `${krond.url}#/timeline?span=1h`, dark, async page => {
    await rows(page)
    const canvas = (await page.locator('.canvas canvas').boundingBox())!
    const row = (await page.getByText('feed/follow').boundingBox())!
    await page.mouse.move(canvas.x + canvas.width * 0.2, row.y + row.height / 2)
    await page.locator('.tooltip').waitFor()
  })
  await shoot('console-jobs', `${krond.url}#/jobs?sort=state`, {}, waitFor(`${entries.length} jobs`))
  await shoot('console-load', `${krond.url}#/load`, { height: 860 }, async page => {
    const chart = page.getByRole('application', { name: /without windows/ })
    await chart.focus()
    // To the first bar in which the twelve sites start together.
    do await page.keyboard.press('ArrowRight')
    while ((await page.getByLabel('Jobs of the bucket').getByText('site/').count()) < 12)
  })
  const refused = refusedAtFirst('newsletter/send')
  await shoot(
    'console-why',
    job('newsletter/send', `&why=${refused}`),
    { height: 1_000 },
    waitFor('recomputed'),
  )
  await shoot('console-run-now', job('backup/files'), { height: 560 }, page =>
    page.getByRole('button', { name: /Run now/ }).click(),
  )
  await shoot('console-job-dark', job('cache/refresh'), { height: 900, ...dark }, waitFor('History'))
  await shoot('console-playground', `${krond.url}#/playground`, { height: 900 }, waitFor('starts it adds'))
  await shoot('console-mistake', `${krond.url}#/playground?s=${mistake}`, { height: 460 }, waitFor('hint'))
} finally {
  await browser.close()
  await krond.remove()
}
