import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { PICTURES } from './pictures.ts'

for (const [name, draw] of Object.entries(PICTURES)) {
  test(`docs/images/${name} shows what the engine decides`, () => {
    const file = new URL(`../../docs/images/${name}`, import.meta.url)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, draw())
    assert.equal(readFileSync(file, 'utf8'), draw(), 'run with UPDATE_GOLDEN=1')
  })
}
