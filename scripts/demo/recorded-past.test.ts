import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseInstant } from '@kron/core'
import { outcomesOf, readStates, shownOutcomesOf } from '@kron/host'
import { recordPast } from './recorded-past.ts'

const examples = join(import.meta.dirname, '../../examples')
const instant = parseInstant('2026-03-02T10:00:07Z')
const NOW = instant.ok ? instant.value : 0

async function recorded(t: { after: (end: () => void) => void }) {
  const directory = mkdtempSync(join(tmpdir(), 'kron-past-'))
  t.after(() => rmSync(directory, { recursive: true }))
  recordPast(examples, directory, NOW)
  const { byIdentity, unreadable } = await readStates(directory, NOW)
  assert.deepEqual(unreadable, [])
  return { directory, states: [...byIdentity.values()] }
}

test('every entry of the recorded past is marked as an example, and none counts as an outcome', async t => {
  const { states } = await recorded(t)
  assert.ok(states.length > 30)
  for (const state of states) {
    assert.ok(state.History.every(each => each.Example === true && each.CompletedAt < '2026-03-02T10:00:07Z'))
    assert.deepEqual(outcomesOf(state), [])
    assert.equal(state.LastOutcome, '')
    assert.ok(shownOutcomesOf(state).every(each => each.example === true && each.runId === null))
  }
})

test('the recorded past shows every way in which a run can end', async t => {
  const { states } = await recorded(t)
  const kinds = new Set(states.flatMap(state => shownOutcomesOf(state).map(each => each.kind)))
  for (const kind of ['succeeded', 'failed', 'timed_out', 'replaced', 'skipped'] as const)
    assert.ok(kinds.has(kind), kind)
})

test('a directory with states is left alone', async t => {
  const { directory } = await recorded(t)
  const texts = (): string[] =>
    readdirSync(directory).map(name => readFileSync(join(directory, name), 'utf8'))
  const before = texts()
  recordPast(examples, directory, NOW + 86_400)
  assert.deepEqual(texts(), before)
})
