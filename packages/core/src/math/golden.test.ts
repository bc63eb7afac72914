import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { exp, expm1 } from './exp.ts'
import { log, log1p } from './log.ts'
import { normalCdf, normalQuantile } from './normal.ts'
import { pow } from './pow.ts'

const functions: Record<string, (...args: number[]) => number> = {
  exp: x => exp(x!),
  expm1: x => expm1(x!),
  log: x => log(x!),
  log1p: x => log1p(x!),
  pow: (base, exponent) => pow(base!, exponent!),
  normalCdf: x => normalCdf(x!),
  normalQuantile: p => normalQuantile(p!),
}

/** For each function the arguments and, last, the result, all as the 16 hex digits of a double. */
const golden: Record<string, string[][]> = JSON.parse(
  readFileSync(new URL('./golden/bits.json', import.meta.url), 'utf8'),
)

const view = new DataView(new ArrayBuffer(8))

function doubleOf(hex: string): number {
  view.setBigUint64(0, BigInt(`0x${hex}`))
  return view.getFloat64(0)
}

function hexOf(x: number): string {
  view.setFloat64(0, x)
  return view.getBigUint64(0).toString(16).padStart(16, '0')
}

for (const [name, apply] of Object.entries(functions)) {
  test(`${name} gives the golden bits`, () => {
    const cases = golden[name]!
    assert.ok(cases.length >= 40)
    for (const row of cases) {
      const args = row.slice(0, -1).map(doubleOf)
      assert.equal(hexOf(apply(...args)), row.at(-1), `${name}(${args.join(', ')})`)
    }
  })
}

test('no source uses a function that an engine may approximate', () => {
  const exact = new Set(['abs', 'floor', 'sqrt', 'SQRT2'])
  const sources = readdirSync(new URL('.', import.meta.url)).filter(file => !file.includes('.test'))
  assert.ok(sources.length >= 7)
  for (const file of sources.filter(name => /\.[jt]s$/.test(name))) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    assert.doesNotMatch(text, / \*\* /, file)
    for (const [, member] of text.matchAll(/Math\.(\w+)/g))
      assert.ok(exact.has(member!), `${file}: Math.${member}`)
  }
})
