import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONCEPTS, IDENTITY, SCHEDULE } from './concepts.ts'
import { textOf } from './pages.ts'

test('the pictures of the concepts show what the engine decides', () => {
  for (const [name, draw] of Object.entries(CONCEPTS))
    assert.equal(
      textOf(`docs/images/${name}`),
      draw(),
      'npx node --conditions=kron-source scripts/docs/concepts.ts',
    )
})

test('the page of concepts shows every picture, of the job that it names', () => {
  const page = textOf('docs/concepts.md')
  for (const name of Object.keys(CONCEPTS)) assert.ok(page.includes(`(images/${name})`), name)
  assert.ok(page.includes(SCHEDULE) && page.includes(IDENTITY))
})
