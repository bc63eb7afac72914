import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { plotCurve } from './plot.ts'
import { filled } from './report.ts'
import { storedPages } from './results.ts'

const docs = new URL('../../docs/', import.meta.url)

test('the figures in docs/performance.md are those of verify/bench/results', () => {
  const text = readFileSync(new URL('performance.md', docs), 'utf8')
  assert.equal(text, filled(text, storedPages()))
})

test('every picture it shows is there', () => {
  const text = readFileSync(new URL('performance.md', docs), 'utf8')
  for (const [, image] of text.matchAll(/\]\((images\/[^)]+)\)/g))
    assert.ok(existsSync(new URL(image!, docs)), image!)
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
