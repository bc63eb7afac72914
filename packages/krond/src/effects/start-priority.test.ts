import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@kron/runtime'
import { StartPriority } from './start-priority.ts'

function priorityOn(clock = new VirtualClock({ now: 0 })) {
  const turns: (() => void)[] = []
  const priority = new StartPriority(clock, act => turns.push(act))
  const done: number[] = []
  const follow = (number: number): void => void priority.idle().then(() => done.push(number))
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await Promise.resolve()
  }
  return { clock, turns, priority, done, follow, settle }
}

test('follow-up work waits until no start is under way', async () => {
  const { priority, done, follow, settle } = priorityOn()
  follow(0)
  await settle()
  assert.deepEqual(done, [0])
  const [first, second] = [priority.begin(), priority.begin()]
  follow(1)
  first()
  await settle()
  assert.deepEqual(done, [0])
  second()
  await settle()
  assert.deepEqual(done, [0, 1])
})

test('a start that hangs holds nobody up for longer than two seconds, and its end counts once', async () => {
  const { clock, priority, done, follow, settle } = priorityOn()
  const over = priority.begin()
  follow(1)
  await clock.run(1_900)
  assert.deepEqual(done, [])
  await clock.run(200)
  assert.deepEqual(done, [1])
  over()
  over()
  const next = priority.begin()
  follow(2)
  await settle()
  assert.deepEqual(done, [1])
  next()
  await settle()
  assert.deepEqual(done, [1, 2])
})

test('work is done a little at a time, so that a start that comes meanwhile goes first', async () => {
  const { turns, priority, done, follow, settle } = priorityOn()
  const over = priority.begin()
  for (let i = 0; i < 100; i++) follow(i)
  over()
  await settle()
  assert.equal(done.length, 64)
  const another = priority.begin()
  for (const turn of turns.splice(0)) turn()
  another()
  for (const turn of turns.splice(0)) turn()
  await settle()
  assert.equal(done.length, 100)
})

test('not more than a thousand pieces of work wait, however many starts there are', async () => {
  const { turns, priority, done, follow, settle } = priorityOn()
  priority.begin()
  for (let i = 0; i < 1_100; i++) follow(i)
  while (turns.length > 0) for (const turn of turns.splice(0)) turn()
  await settle()
  assert.ok(done.length > 0)
})

test('starts that never cease hold follow-up work up for two seconds at most', async () => {
  const { clock, turns, priority, done, follow } = priorityOn()
  let over = priority.begin()
  for (let i = 1; i <= 200; i++) follow(i)
  for (let i = 0; i < 30; i++) {
    await clock.run(100)
    for (const turn of turns.splice(0)) turn()
    const next = priority.begin()
    over()
    over = next
  }
  assert.equal(done.length, 200)
  over()
})
