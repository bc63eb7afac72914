import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { accessibilityFindings, Browser, eventually } from './browser.test-support.ts'
import { Krond } from './krond.test-support.ts'

const DAY_MS = 86_400_000
const today = new Date().toISOString().slice(0, 10)
const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)

const krond = new Krond([
  '0 */2 * * * @win(after,90m) @avoid(cal=holidays) @policy(deadline=1m) name=avoider command=/bin/true',
  '0 * * * * @win(after,50m) @dist(weights,file=tariff) @policy(deadline=1m) name=weighted command=/bin/true',
  ...Array.from({ length: 40 }, (_, i) => `0 * * * * @win(after,50m) name=hourly-${i} command=/bin/true`),
])
const browser = new Browser()

before(async () => {
  for (const directory of ['calendars', 'weights']) mkdirSync(krond.pathOf(directory), { mode: 0o755 })
  writeFileSync(krond.pathOf('calendars/holidays.dates'), `${tomorrow}\n`, { mode: 0o644 })
  writeFileSync(krond.pathOf('weights/tariff.csv'), hourly(), { mode: 0o644 })
  await krond.start()
})
after(async () => {
  await browser.close()
  await krond.remove()
})

/** Only minutes 10 to 19 of each hour have weight. */
function hourly(): string {
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
  return hours.map(hour => `${hour}:00,0\n${hour}:10,1\n${hour}:20,0\n`).join('')
}

const open = (hash: string) => browser.open(`${krond.url}${hash}`)
const jobHash = (name: string, more: Readonly<Record<string, string>> = {}): string =>
  `#/job?${new URLSearchParams({ id: `${krond.jobFile}:${name}`, ...more })}`

test('days of a calendar are marked on the timeline, and named under the pointer', async () => {
  const page = await open(`#/timeline?span=3d&at=${encodeURIComponent(`${today}T00:00:00.000Z`)}&q=avoider`)
  await page.getByText('time of a calendar').waitFor()
  const canvas = page.locator('canvas')
  const box = (await canvas.boundingBox())!
  await eventually(async () => {
    await page.mouse.move(box.x + box.width * 0.5, box.y + 34 + 16)
    assert.match(await page.locator('.tooltip').innerText(), /calendar\s+holidays/)
  })
  await page.close()
})

test('the browser computes jobs with calendars and weights as krond does', async () => {
  for (const [name, period] of [
    ['avoider', `${today}T04:00:00Z`],
    ['avoider', `${tomorrow}T04:00:00Z`],
    ['weighted', `${tomorrow}T05:00:00Z`],
  ] as const) {
    const page = await open(jobHash(name, { why: period }))
    await page.getByText('recomputed in this browser: identical').waitFor()
    await page.close()
  }
})

test('the load view says how low the peak could be, and the command for it', async () => {
  const page = await open('#/load?bucket=1m&for=5h')
  await page.getByRole('button', { name: 'How low could the peak be?' }).click()
  const balance = page.getByLabel('Balance')
  await eventually(async () => {
    const [now, reachable, bound] = (await balance.locator('.figure-value').allInnerTexts()).map(Number)
    assert.ok(now! > reachable! && reachable! >= bound! && bound! >= 1, `${now} ${reachable} ${bound}`)
  })
  await balance.getByText('krontab balance --for 5h --bucket 1m').waitFor()
  assert.deepEqual(await accessibilityFindings(page), [])
  await page.close()
  assert.deepEqual(browser.complaints, [])
})
