import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { plotCurve } from './plot.ts'
import { filled, reports } from './report.ts'
import { storedPages } from './results.ts'

const docs = new URL('../../docs/', import.meta.url)

test('the figures in docs/performance.md and docs/performance/ are those of verify/bench/results', () => {
  const all = reports(storedPages())
  assert.ok(all.size > 1)
  for (const [path, text] of all) {
    const page = readFileSync(new URL(path, docs), 'utf8')
    assert.equal(page, filled(page, text), `${path} is out of date`)
  }
})

test('every picture on these pages is there', () => {
  for (const path of reports(storedPages()).keys()) {
    const page = readFileSync(new URL(path, docs), 'utf8')
    for (const [, image] of page.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
      assert.ok(existsSync(new URL(image!, new URL(path, docs))), image!)
  }
})

test('a curve is drawn with a point for each figure and a mark for each power of ten', () => {
  const svg = plotCurve({
    title: 'load <all>',
    unit: 'ms',
    lines: [
      {
        name: 'first start',
        points: [
          [1_000, 200],
          [10_000, 350],
          [100_000, 1_900],
        ],
      },
    ],
  })
  assert.equal(svg.match(/<circle/g)?.length, 3)
  for (const tick of ['1,000', '10,000', '100,000', '>100<']) assert.ok(svg.includes(tick), tick)
  assert.ok(svg.includes('load &lt;all>'))
})
