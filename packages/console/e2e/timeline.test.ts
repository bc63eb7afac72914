import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from './browser.test-support.ts'
import { startShow } from './show.test-support.ts'

const { krond, browser, open } = startShow()

test('the timeline lists every job and changes live when one runs', async () => {
  const page = await open('#/timeline?span=1h')
  await page.getByText('140 jobs').waitFor()
  await page.locator('.pulse.live').waitFor()
  const lastRuns = (): Promise<string> =>
    page.locator('.names .dot').evaluateAll(dots => dots.map(dot => dot.getAttribute('title')).join('\n'))
  const known = await lastRuns()
  await eventually(async () => assert.notEqual(await lastRuns(), known))
  await page.close()
})

test('an execution is drawn, and told of under the pointer', async () => {
  const page = await open('#/timeline?span=1h&q=broken')
  const dot = page.locator('.names .dot[title^="last failed"]').first()
  await dot.waitFor()
  const row = (await dot.boundingBox())!
  const canvas = (await page.locator('.canvas canvas').boundingBox())!
  const nowX = canvas.x + canvas.width * 0.5
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
  const page = await open('#/timeline')
  await page.getByLabel('Search jobs').fill('vacuum')
  await page.getByText('1 job', { exact: true }).waitFor()
  assert.match(page.url(), /q=vacuum/)
  await page.getByLabel('Search jobs').fill('no such thing')
  await page.getByText('No job matches').waitFor()
  await page.goto(`${krond.url}#/timeline?show=paused`)
  await page.getByText('1 job', { exact: true }).waitFor()
  assert.equal(await page.locator('.names .name').innerText(), 'paused')
  await page.close()
})

test('below four pixels a period the timeline draws density and heat; the time before krond ran is hatched', async () => {
  const page = await open('#/timeline?span=1d&q=talker')
  await page.getByText('1 job', { exact: true }).waitFor()
  await page.locator('canvas[aria-busy=false]').waitFor()
  /** The share of pixels of the row that are not background, in a part of the canvas. */
  const inked = (from: number, to: number): Promise<number> =>
    page.locator('.canvas canvas').evaluate(
      (canvas, [left, right]) => {
        const { width, height } = canvas as HTMLCanvasElement
        const context = (canvas as HTMLCanvasElement).getContext('2d')!
        const ratio = devicePixelRatio
        const x = Math.floor(width * left!)
        const { data } = context.getImageData(x, 42 * ratio, Math.floor(width * right!) - x, 18 * ratio)
        let count = 0
        for (let i = 3; i < data.length; i += 4) if (data[i]! > 40) count++
        return height === 0 ? 0 : count / (data.length / 4)
      },
      [from, to] as const,
    )
  // Sixty periods an hour in 43 pixels: cells beside each other, of full height or nearly so.
  await eventually(async () => assert.ok((await inked(0.6, 0.9)) > 0.7))
  await eventually(async () => assert.ok((await inked(0.05, 0.4)) > 0.9, 'muted and hatched'))
  await page.goto(`${krond.url}#/timeline?span=1d&q=anniversary`)
  await eventually(async () => {
    assert.ok((await inked(0.05, 0.4)) > 0.9, 'muted and hatched')
    assert.ok((await inked(0.6, 0.62)) < 0.2, 'empty')
  })
  await page.close()
})

test('a first visit fits the history there is', async () => {
  const page = await open('#/timeline')
  await page.getByText('140 jobs').waitFor()
  await page.locator('.segments button[aria-pressed=true]', { hasText: '15m' }).waitFor()
  await page.close()
})

test('the marks of a row are reached by keyboard, told, and opened', async () => {
  const page = await open('#/timeline?q=talker')
  await page.locator('.names .dot[title^="last failed"]').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('.names li.selected a:focus').waitFor()
  // The outcomes of a row come a moment after the row.
  await eventually(async () => {
    await page.keyboard.press('Shift+ArrowLeft')
    assert.equal(await page.locator('.tooltip', { hasText: 'exit code 4' }).count(), 1)
  })
  const back = await page.locator('.names li.selected a').getAttribute('href')
  assert.match(back!, /run=/)
  await eventually(async () => {
    await page.keyboard.press('Shift+ArrowRight')
    assert.match((await page.locator('.names li.selected a').getAttribute('href'))!, /why=/)
  })
  await page.keyboard.press('Enter')
  await page.getByText('recomputed in this browser: identical').waitFor()
  await page.close()
})

test('the page asked nobody but krond for anything, and complained of nothing', () => {
  assert.deepEqual([...browser.requested], [new URL(krond.url).origin])
  assert.deepEqual(browser.complaints, [])
})
