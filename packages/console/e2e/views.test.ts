import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OUTCOME_KINDS, OUTCOME_STYLES } from '@kron/core'
import { accessibilityFindings, eventually } from './browser.test-support.ts'
import { startShow } from './show.test-support.ts'

const { krond, browser, open, openWithToken, jobHash } = startShow()

/** Each view, with a text that is there when it has all its data. */
const VIEWS: readonly (readonly [string, string])[] = [
  ['#/', 'jobs need attention'],
  ['#/timeline', '140 jobs'],
  ['#/timeline?span=7d', '140 jobs'],
  ['#/jobs', '140 jobs'],
  ['#/load', 'peak with windows'],
  ['#/playground', 'starts it adds'],
  [jobHash('talker'), 'but this is not'],
  [jobHash('backup', { why: '2026-11-16T01:00:00Z' }), 'recomputed'],
]

test('the overview tells first which jobs are in trouble, how often and since when', async () => {
  const page = await open()
  await page.getByRole('heading', { name: /jobs need attention/ }).waitFor()
  const talker = page.getByLabel('Problems').locator('li', { hasText: 'talker' })
  await eventually(async () => {
    const text = await talker.innerText()
    assert.match(text, /failed/)
    assert.match(text, /exit code 4/)
    assert.match(text, /(once|\d+ times) since /)
  })
  const impossible = page.getByLabel('Problems').locator('li', { hasText: 'impossible' })
  await eventually(async () => assert.match(await impossible.innerText(), /unschedulable/))
  await talker.getByRole('link').click()
  await page.getByRole('heading', { name: 'talker' }).waitFor()
  await page.close()
})

test('the overview tells what runs now, what starts in the next hour, and how the last day was', async () => {
  const page = await open()
  await page.getByLabel('Running now').locator('li', { hasText: 'slow' }).waitFor()
  await page.getByLabel('Next hour').locator('li').first().waitFor()
  assert.equal(await page.getByLabel('Next hour').locator('li').count(), 25)
  await page.getByText(/and \d+ jobs more/).waitFor()
  const { lastDay } = await krond.get<{ lastDay: { executions: number } }>('overview')
  assert.ok(lastDay.executions > 0)
  await eventually(async () => {
    const values = await page.locator('.figure-value').allInnerTexts()
    assert.match(values[0]!, /^\d+(\.\d)?%$/)
    assert.match(values[1]!, /s$/)
  })
  await page.close()
})

test('the name of the host is in the header and in the title', async () => {
  const page = await open()
  const { host } = await krond.get<{ host: string }>('status')
  await page.locator('.top .host', { hasText: host }).waitFor()
  assert.equal(await page.title(), `${host} · Kron`)
  await page.close()
})

test('the load shows both peaks and their ratio to the mean', async () => {
  const page = await open('#/load?for=5h&bucket=1m')
  await page.getByText('peak with windows').waitFor()
  const values = await page.locator('.figure-value').allInnerTexts()
  assert.equal(values.length, 5)
  assert.ok(Number(values[0]) < Number(values[1]), 'windows lower the peak')
  assert.ok(Number(values[2]) < Number(values[3]), 'and its ratio to the mean')
  // A minute may end between the two answers, and with it their first bucket.
  await eventually(async () => {
    await page.reload()
    const shown = await page.locator('.figure-value').nth(1).innerText()
    const forecast = await krond.get<{ plain: { peak: number } }>('forecast?for=5h&bucket=1m')
    assert.equal(shown, String(forecast.plain.peak))
  })
  await page.close()
})

test('the load is counted in buckets of 10 s, 1 min and 5 min, and a bar names its jobs', async () => {
  const page = await open('#/load')
  const chart = page.getByRole('application', { name: /without windows/ })
  await chart.waitFor()
  for (const [name, bucket] of [
    ['1 min', '1m'],
    ['5 min', '5m'],
    ['10 s', '10s'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.waitForURL(new RegExp(`bucket=${bucket}(&|$)`))
    await page.getByText(`starts per ${name}`).waitFor()
  }
  assert.ok(
    await page.getByRole('button', { name: '7 days' }).isDisabled(),
    '7 days have too many buckets of 10 s',
  )
  await chart.focus()
  await page.keyboard.press('ArrowRight')
  const named = page.getByLabel('Jobs of the bucket')
  await named.getByRole('link', { name: 'busy-00000' }).last().waitFor()
  await named.getByText(/^\d+ starts? without windows$/).waitFor()
  const told = await named.getByText(/^\d+ starts? without windows$/).innerText()
  const names = await named.locator('.two > div').nth(1).locator('li').count()
  const more = /and (\d+) jobs more/.exec(await named.innerText())?.[1] ?? '0'
  assert.equal(Number.parseInt(told, 10), names + Number(more))
  await page.close()
})

test('the jobs can be sorted and filtered, and the address keeps both', async () => {
  const page = await open('#/jobs')
  const first = page.locator('.job-table tbody tr').first()
  await page.getByText('140 jobs').waitFor()
  await page.getByRole('button', { name: 'state' }).click()
  await page.waitForURL(/sort=state/)
  await first
    .locator('.badge')
    .filter({ hasText: /failed|unschedulable/ })
    .waitFor()
  assert.equal(await page.locator('th[aria-sort]').getAttribute('aria-sort'), 'ascending')
  await page.getByRole('button', { name: 'job', exact: false }).first().click()
  await page.getByRole('button', { name: /^job/ }).click()
  await page.waitForURL(/sort=-name/)
  await first.getByRole('link', { name: 'vacuum' }).waitFor()
  await page.getByRole('button', { name: 'paused', exact: true }).click()
  await page.getByText('1 job', { exact: true }).waitFor()
  await page.goto(`${krond.url}#/jobs?show=failing&q=talker`)
  const row = page.locator('.job-table tbody tr')
  await eventually(async () => {
    const text = await row.innerText()
    assert.match(text, /failed/)
    assert.match(text, /0%/)
    assert.match(text, /\d\.\ds/)
  })
  await page.close()
})

test('each outcome has its word, icon and colour from the one table', async () => {
  const page = await open()
  await page.locator('.pulse.live').waitFor()
  await page.keyboard.press('?')
  const shown = await page.locator('dialog .badge').allInnerTexts()
  assert.deepEqual(
    shown.map(text => text.trim().replace(/\s+/g, ' ')),
    OUTCOME_KINDS.map(kind => `${OUTCOME_STYLES[kind].icon} ${OUTCOME_STYLES[kind].word}`),
  )
  const colours = await page
    .locator('dialog .badge')
    .evaluateAll(badges => badges.map(badge => getComputedStyle(badge).color))
  assert.equal(new Set(colours).size, OUTCOME_KINDS.length)
  await page.close()
})

test('the playground marks a mistake as it is typed, then shows what the schedule does', async () => {
  const page = await open('#/playground')
  const field = page.getByLabel('Schedule', { exact: true })
  await field.fill('0 25 * * * @win(after,2h)')
  await eventually(async () => {
    const fault = await page.locator('.faults pre').first().innerText()
    const [line = '', mark = ''] = fault.split('\n')
    assert.equal(line.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1), '25')
  })
  await field.fill('*/10 * * * * @tz(Asia/Tokyo) @win(after,5m)')
  await page.getByText('Next 20 runs in Asia/Tokyo').waitFor()
  await eventually(async () => {
    assert.equal(await page.locator('.next li').count(), 20)
    assert.equal(await page.locator('.figure-value').first().innerText(), '144')
  })
  await page.close()
})

test('everything can be reached by keyboard', async () => {
  const page = await open('#/timeline')
  await page.getByText('140 jobs').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('vac')
  await page.getByText('1 job', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowDown')
  await page.locator('.names li.selected a:focus').waitFor()
  await page.keyboard.press('-')
  await page.waitForURL(/span=1h/)
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/at=/)
  await page.keyboard.press('n')
  await page.waitForFunction(() => !location.hash.includes('at='))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'vacuum' }).waitFor()
  await page.keyboard.press('4')
  await page.getByText('peak with windows').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.close()
})

test('no view is wider than a phone', async () => {
  for (const [view, last] of VIEWS) {
    const page = await openWithToken(view, { width: 360, height: 740 })
    await page.getByText(last).first().waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= 360, `${view} is ${width} wide`)
    await page.close()
  }
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe-core finds nothing serious in any view, ${colorScheme}`, async () => {
    for (const [view, last] of VIEWS) {
      const page = await openWithToken(view, { colorScheme })
      await page.getByText(last).first().waitFor()
      assert.deepEqual(await accessibilityFindings(page), [], view)
      await page.close()
    }
  })
}

test('the page asked nobody but krond for anything, and complained of nothing', () => {
  assert.deepEqual([...browser.requested], [new URL(krond.url).origin])
  assert.deepEqual(browser.complaints, [])
})
