import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Reason, WorkQueue } from './work-queue.ts'

function gated(workers: number) {
  const begun: [string, Reason][] = []
  const gates = new Map<string, () => void>()
  const queue = new WorkQueue({
    workers,
    work: (key, reason) => {
      begun.push([key, reason])
      return new Promise(resolve => gates.set(key, resolve))
    },
  })
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await turn()
  }
  const finish = async (key: string): Promise<void> => {
    gates.get(key)!()
    gates.delete(key)
    await settle()
  }
  return { queue, begun, finish, settle }
}

test('no key is worked on twice at a time, and what came meanwhile is not lost', async () => {
  const { queue, begun, finish, settle } = gated(4)
  queue.add('a')
  await settle()
  queue.add('a', { wokenAt: 7 })
  queue.add('a', { wokenAt: 5, catchUp: true })
  await settle()
  assert.equal(begun.length, 1)
  await finish('a')
  assert.deepEqual(begun, [
    ['a', {}],
    ['a', { wokenAt: 5, catchUp: true }],
  ])
  await finish('a')
  assert.equal(begun.length, 2)
})

test('what has to start goes before what merely changed', async () => {
  const { queue, begun, finish, settle } = gated(1)
  for (const key of ['busy', 'b', 'c', 'd']) queue.add(key)
  queue.add('c', { wokenAt: 1 })
  await settle()
  for (const key of ['busy', 'c', 'b', 'd']) await finish(key)
  assert.deepEqual(
    begun.map(([key]) => key),
    ['busy', 'c', 'b', 'd'],
  )
})

test('clearing drops what has not begun and waits for what has', async () => {
  const { queue, begun, finish, settle } = gated(1)
  queue.add('a')
  queue.add('b')
  await settle()
  queue.add('a')
  let cleared = false
  const clearing = queue.clear().then(() => {
    cleared = true
  })
  await settle()
  assert.equal(cleared, false)
  await finish('a')
  await clearing
  assert.deepEqual(
    begun.map(([key]) => key),
    ['a'],
  )
  assert.equal(queue.depth, 0)
})

test('while starts are under way the rest goes on, by a few at a time', async () => {
  const { queue, begun, finish, settle } = gated(8)
  queue.add('start', { wokenAt: 1 })
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key)
  await settle()
  const keys = (): string[] => begun.map(([key]) => key)
  assert.deepEqual(keys(), ['start', 'a', 'b'])
  await finish('a')
  assert.deepEqual(keys(), ['start', 'a', 'b', 'c'])
  await finish('start')
  assert.deepEqual(keys(), ['start', 'a', 'b', 'c', 'd'])
})

test('however many starts are under way, two other keys go on beside them', async () => {
  const { queue, begun, finish, settle } = gated(2)
  for (const key of ['1', '2', '3', '4', '5', '6', '7']) queue.add(key, { wokenAt: 1 })
  for (const key of ['a', 'b', 'c']) queue.add(key)
  await settle()
  const keys = (): string => begun.map(([key]) => key).join(' ')
  assert.equal(keys(), '1 2 3 4 5 6 a b')
  await finish('a')
  assert.equal(keys(), '1 2 3 4 5 6 a b c')
})

test('starts have more workers than other keys, so that those of one second come soon', async () => {
  const { queue, begun, finish, settle } = gated(2)
  for (const key of ['a', 'b', 'c']) queue.add(key)
  for (const key of ['1', '2', '3', '4', '5']) queue.add(key, { wokenAt: 1 })
  await settle()
  const keys = (): string => begun.map(([key]) => key).join(' ')
  assert.equal(keys(), 'a b 1 2 3 4')
  await finish('1')
  assert.equal(keys(), 'a b 1 2 3 4 5')
  for (const key of ['2', '3', '4', 'a', 'b', '5']) await finish(key)
  assert.equal(keys(), 'a b 1 2 3 4 5 c')
})

test('keys that have their timer wait for all others, and go on by a few at a time', async () => {
  const { queue, begun, finish, settle } = gated(8)
  for (const [key, timerAt] of Object.entries({ e: 9, d: 8, c: 7, b: 6, a: 5 })) queue.add(key, { timerAt })
  queue.add('changed')
  await settle()
  const keys = (): string[] => begun.map(([key]) => key)
  assert.deepEqual(keys().slice(0, 4), ['e', 'd', 'c', 'b'], 'nothing else was there yet')
  queue.add('f', { timerAt: 1 })
  await finish('e')
  assert.deepEqual(keys(), ['e', 'd', 'c', 'b', 'changed', 'f'])
  queue.add('a', { wokenAt: 5 })
  await settle()
  assert.deepEqual(begun.at(-1), ['a', { wokenAt: 5 }])
})

test('any other event ends the wait of a key that has its timer', async () => {
  const { queue, begun, finish, settle } = gated(1)
  for (const key of ['busy', 'b', 'c']) queue.add(key)
  queue.add('a', { timerAt: 5, catchUp: true })
  queue.add('d', { timerAt: 4 })
  queue.add('a')
  await settle()
  for (const key of ['busy', 'b', 'c', 'a', 'd']) await finish(key)
  assert.deepEqual(begun.slice(3), [
    ['a', { catchUp: true }],
    ['d', { timerAt: 4 }],
  ])
})

test('it is calm when no key waits for a worker', async () => {
  const { queue, finish, settle } = gated(1)
  let calm = 0
  const count = (): void => {
    calm++
  }
  void queue.calm().then(count)
  await settle()
  assert.equal(calm, 1)
  for (const key of ['a', 'b', 'c']) queue.add(key)
  await settle()
  void queue.calm().then(count)
  await finish('a')
  assert.equal(calm, 1)
  await finish('b')
  assert.equal(calm, 2)
})
