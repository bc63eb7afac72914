import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { accessibilityFindings, Browser, eventually } from './browser.test-support.ts'
import { busyLines, Krond } from './krond.test-support.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const LINES = [
  '0 2 * * * @tz(Europe/Paris) @win(after,3h) @dist(normal) @avoid(between=03:00-03:45) name=backup command="/bin/echo hush" env=SECRET=hush description="Saves everything"',
  '30 4 * * * @win(around,90m) name=vacuum command=/bin/true',
  '0 9 * * * @policy(suspend=true) name=paused command=/bin/true',
  '* * * * * @only(between=00:00-00:00) @avoid(between=00:00-00:00) name=impossible command=/bin/true',
  ...Array.from({ length: 16 }, (_, i) => `0 * * * * @win(after,50m) name=hourly-${i} command=/bin/true`),
  ...busyLines(90),
  ...busyLines(30, '/bin/false').map(line => line.replace('busy', 'broken')),
]
const krond = new Krond(LINES)
const browser = new Browser()
/** Each view, with what is there when it has all its data. */
const VIEWS: readonly (readonly [string, string])[] = [
  ['#/timeline', '140 jobs'],
  ['#/timeline?span=7d', '140 jobs'],
  ['#/load', 'peak with windows'],
  ['#/not-run', 'exit code 1'],
  ['#/playground', 'starts it adds'],
  [jobHash('backup'), 'recomputed'],
]

function jobHash(name: string, period?: string): string {
  const at = period === undefined ? '' : `&period=${encodeURIComponent(period)}`
  return `#/job?id=${encodeURIComponent(`${krond.jobFile}:${name}`)}${at}`
}

before(() => krond.start())
after(async () => {
  await browser.close()
  await krond.remove()
})

test('the timeline lists every job and changes live when one runs', async () => {
  const page = await browser.open(`${krond.url}#/timeline?span=1h`)
  await page.getByText('140 jobs').waitFor()
  await page.locator('.pulse.live').waitFor()
  const lastRuns = (): Promise<string> =>
    page.locator('.names .dot').evaluateAll(dots => dots.map(dot => dot.getAttribute('title')).join('\n'))
  const known = await lastRuns()
  await eventually(async () => assert.notEqual(await lastRuns(), known))
  await page.close()
})

test('an execution is drawn, and told of under the pointer', async () => {
  const page = await browser.open(`${krond.url}#/timeline?span=1h&q=broken`)
  const dot = page.locator('.names .dot.failed').first()
  await dot.waitFor()
  const row = (await dot.boundingBox())!
  const canvas = (await page.locator('.canvas canvas').boundingBox())!
  const nowX = canvas.x + canvas.width * 0.3
  const tellsOf = (point: readonly [number, number]): Promise<string[]> =>
    page.evaluate(async ([x, y]) => {
      const target = document.querySelector('.canvas canvas')!
      for (let back = 0; back < 40; back++) {
        const clientX = x - back
        target.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY: y, bubbles: true }))
        await new Promise(resolve => requestAnimationFrame(resolve))
        // Read at once: the drawing moves on under the pointer.
        const shown = document.querySelector('.tooltip')
        if (shown?.textContent?.includes('exit code 1'))
          return [...shown.querySelectorAll('dt')].map(each => each.textContent ?? '')
      }
      return []
    }, point)
  await eventually(async () => {
    const told = await tellsOf([nowX, row.y + row.height / 2])
    assert.deepEqual(told, ['failed', 'started', 'lateness', 'ran for', 'nominal', 'window', 'chosen'])
  })
  await page.close()
})

test('search and filters are in the address, and an empty result says so', async () => {
  const page = await browser.open(`${krond.url}#/timeline`)
  await page.getByLabel('Search jobs').fill('vacuum')
  await page.getByText('1 job', { exact: true }).waitFor()
  assert.match(page.url(), /q=vacuum/)
  await page.getByLabel('Search jobs').fill('no such thing')
  await page.getByText('No job matches').waitFor()
  await page.goto(`${krond.url}#/timeline?show=suspended`)
  await page.getByText('1 job', { exact: true }).waitFor()
  assert.equal(await page.locator('.names .name').innerText(), 'paused')
  await page.close()
})

test('the load shows both peaks and their ratio to the mean', async () => {
  const page = await browser.open(`${krond.url}#/load?for=6h`)
  await page.getByText('peak with windows').waitFor()
  const values = await page.locator('.figure-value').allInnerTexts()
  assert.equal(values.length, 5)
  assert.ok(Number(values[0]) < Number(values[1]), 'windows lower the peak')
  assert.ok(Number(values[2]) < Number(values[3]), 'and its ratio to the mean')
  // A minute may end between the two answers, and with it their first bucket.
  await eventually(async () => {
    await page.reload()
    const shown = await page.locator('.figure-value').nth(1).innerText()
    const forecast = await krond.get<{ plain: { peak: number } }>('forecast?for=6h&bucket=1m')
    assert.equal(shown, String(forecast.plain.peak))
  })
  await page.close()
})

test('a decision is explained as krontab explains it, and recomputed in the browser', async () => {
  const period = '2026-11-16T01:00:00Z'
  const explained = execFileSync(
    process.execPath,
    [
      '--conditions=kron-source',
      `${root}packages/krontab/src/bin/krontab.ts`,
      ...['explain', 'backup', '--file', krond.jobFile, '--period', period, '--format', 'json'],
    ],
    { encoding: 'utf8' },
  )
  const told = JSON.parse(explained) as { attempts: unknown[]; seedHash: string }
  const answer = await krond.get(
    `decisions?job=${encodeURIComponent(`${krond.jobFile}:backup`)}&period=${period}`,
  )
  assert.deepEqual(answer, told)
  const page = await browser.open(`${krond.url}${jobHash('backup', period)}`)
  await page.getByText('recomputed in this browser: identical').waitFor()
  await eventually(async () => {
    assert.equal(await page.locator('.attempts tbody tr').count(), told.attempts.length)
    assert.equal((await page.locator('.hash').innerText()).trim(), told.seedHash)
  })
  await page.close()
})

test('a job page tells what comes, what was and what it is, but no secrets', async () => {
  const page = await browser.open(`${krond.url}${jobHash('impossible')}`)
  await page.getByText('no second of its window satisfies the constraints').first().waitFor()
  await page.goto(`${krond.url}${jobHash('backup')}`)
  await page.getByText('Saves everything').waitFor()
  await page.getByText('recomputed in this browser: identical').waitFor()
  await eventually(async () => assert.equal(await page.locator('.next li').count(), 12))
  assert.ok(!(await page.locator('body').innerText()).includes('hush'))
  await page.locator('.next li a').nth(3).click()
  await page.waitForURL(/period=/)
  await page.getByText('recomputed in this browser: identical').waitFor()
  await page.close()
})

test('what did not run has its reasons, by kind', async () => {
  const page = await browser.open(`${krond.url}#/not-run?kinds=failed`)
  await page.getByText('exit code 1').first().waitFor()
  const newest = (): Promise<string | null> => page.locator('.not-run tbody a').first().getAttribute('href')
  const known = await newest()
  await eventually(async () => assert.notEqual(await newest(), known))
  await page.goto(`${krond.url}#/not-run?kinds=unschedulable`)
  await page.locator('.not-run .badge.unschedulable').first().waitFor()
  await page.locator('.not-run .badge.failed').first().waitFor({ state: 'detached' })
  await page.goto(`${krond.url}#/not-run?q=vacuum`)
  await page.getByText('Nothing here').waitFor()
  await page.close()
})

test('the playground marks a mistake as it is typed, then shows what the schedule does', async () => {
  const page = await browser.open(`${krond.url}#/playground`)
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
  const page = await browser.open(`${krond.url}#/timeline`)
  await page.getByText('140 jobs').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('vac')
  await page.getByText('1 job', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowDown')
  await page.locator('.names li.selected a:focus').waitFor()
  await page.keyboard.press('+')
  await page.waitForURL(/span=6h/)
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/at=/)
  await page.keyboard.press('n')
  await page.waitForFunction(() => !location.hash.includes('at='))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'vacuum' }).waitFor()
  await page.keyboard.press('2')
  await page.getByText('peak with windows').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.close()
})

test('no view is wider than a phone', async () => {
  for (const [view, last] of VIEWS) {
    const page = await browser.open(`${krond.url}${view}`, { width: 360, height: 740 })
    await page.getByText(last).first().waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= 360, `${view} is ${width} wide`)
    await page.close()
  }
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe-core finds nothing serious in any view, ${colorScheme}`, async () => {
    for (const [view, last] of VIEWS) {
      const page = await browser.open(`${krond.url}${view}`, { colorScheme })
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
