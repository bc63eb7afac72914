import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TaskRecord } from '../task/record.ts'
import { memoryStore } from './memory-store.ts'
import { RecordTable } from './record-table.ts'

const instant = fc.option(fc.integer({ min: 0, max: 2 ** 42 }), { nil: undefined })

export const record: fc.Arbitrary<TaskRecord> = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd', '\u0000', '\ud800', 'ü', 'a"b\\c\nd'),
    cronExpression: fc.constantFrom('* * * * *', '0 0 * * *'),
    retryDelayMs: fc.nat(),
    firstSeenAt: fc.nat(),
    firstMinuteWaived: fc.option(fc.constant(true as const), { nil: undefined }),
    lastAttemptAt: instant,
    lastSuccessAt: instant,
    lastFailureAt: instant,
    pendingRetryUntil: instant,
    runningBy: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
  })
  .map(fields => JSON.parse(JSON.stringify(fields)))

test('a table of columns holds what a map would', () => {
  const step = fc.oneof(
    fc.record({ put: record }),
    fc.record({ remove: fc.constantFrom('a', 'b', 'c', 'd', 'z') }),
  )
  const property = fc.property(fc.array(step, { maxLength: 60 }), steps => {
    const table = new RecordTable()
    const map = new Map<string, TaskRecord>()
    for (const each of steps) {
      if ('put' in each) {
        table.put(each.put)
        map.set(each.put.name, each.put)
      } else {
        table.remove(each.remove)
        map.delete(each.remove)
      }
    }
    const byName = (a: TaskRecord, b: TaskRecord) => (a.name < b.name ? -1 : 1)
    assert.deepEqual([...table].sort(byName), [...map.values()].sort(byName))
    assert.equal(table.size, map.size)
  })
  fc.assert(property)
})

test('the memory store survives being closed, as a restart within a process needs it', async () => {
  const store = memoryStore()
  const a = { name: 'a', cronExpression: '* * * * *', retryDelayMs: 0, firstSeenAt: 1 }
  await store.load()
  await store.commit({ put: [a], remove: [] })
  await store.close()
  assert.deepEqual(await store.load(), [a])
  await assert.rejects(store.load(), /one scheduler at a time/)
  await store.commit({ put: [], remove: ['a'] })
  await store.close()
  assert.deepEqual(await store.load(), [])
})
