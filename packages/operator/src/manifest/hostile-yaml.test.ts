import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readManifests } from './document.ts'

const keys = (count: number, indent = ''): string =>
  Array.from({ length: count }, (_, i) => `${indent}k${i}: 1`).join('\n')

/** A mapping whose aliases refer to each other again and again. */
const bomb = (): string => {
  const lines = ['l0: &l0 [x, x, x, x, x, x, x, x, x]']
  for (let i = 1; i < 12; i++)
    lines.push(
      `l${i}: &l${i} [${Array(9)
        .fill(`*l${i - 1}`)
        .join(', ')}]`,
    )
  return lines.join('\n')
}

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ['a megabyte of 100,000 keys', keys(100_000), /more than 300000 YAML tokens/],
  ['a text of many megabytes', `a: ${'x'.repeat(5 << 20)}`, /characters/],
  ['aliases that multiply', bomb(), /alias/i],
  ['brackets nested without end', '['.repeat(100_000), /nested too deeply|unexpected|flow/i],
  ['lists nested in one line', `${'- '.repeat(100_000)}x`, /nested too deeply/],
  [
    'a key that is there twice',
    'kind: KronJob\nspec:\n  a: 1\n  b: 2\n  a: 3\n',
    /m.yaml:5:3: the key "a" is there twice/,
  ],
  [
    'a duplicate among very many keys',
    `${keys(20_000)}\nk7: 1\n`,
    /m.yaml:20001:1: the key "k7" is there twice/,
  ],
]

for (const [what, text, message] of REFUSED) {
  test(`${what} is refused with its reason`, () => {
    const { documents, errors } = readManifests('m.yaml', text)
    assert.deepEqual(documents, [])
    assert.match(errors.join('\n'), message)
  })
}

test('twenty thousand different keys are read', () => {
  const { documents, errors } = readManifests('m.yaml', keys(20_000))
  assert.deepEqual(errors, [])
  assert.equal(Object.keys(documents[0]!.value as object).length, 20_000)
})

test('equal keys in different mappings are no duplicates', () => {
  const { errors } = readManifests('m.yaml', 'a: {x: 1}\nb: {x: 1}\nc: [{x: 1}, {x: 2}]\n')
  assert.deepEqual(errors, [])
})
