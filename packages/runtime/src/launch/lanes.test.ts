import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as macrotask } from 'node:timers/promises'
import { Lanes } from './lanes.ts'

/** Starts that end when they are told to, each with what follows it. */
class Burst {
  readonly lanes = new Lanes()
  readonly began: number[] = []
  readonly followed: number[] = []
  readonly ends: (() => void)[] = []

  async start(number: number, fails = false): Promise<void> {
    await this.lanes.take(async () => {
      this.began.push(number)
      await new Promise<void>(resolve => this.ends.push(resolve))
      if (fails) throw new Error('refused')
    })
    await this.lanes.lull()
    this.followed.push(number)
  }

  /** The oldest start that is under way ends. */
  async endOne(): Promise<void> {
    this.ends.shift()!()
    await macrotask()
  }

  /** Ends the starts up to this one, and tells how many at most were put off meanwhile. */
  async endUpTo(last: number): Promise<number> {
    let most = 0
    while (this.began.length - this.ends.length < last) {
      await this.endOne()
      most = Math.max(most, this.began.length - this.ends.length - this.followed.length)
    }
    return most
  }
}

test('a few starts are under way at a time, and what follows them waits for all', async () => {
  const burst = new Burst()
  const all = Promise.all(Array.from({ length: 10 }, (_, i) => burst.start(i)))
  await macrotask()
  assert.deepEqual(burst.began, [0, 1, 2])
  for (let ended = 1; ended <= 6; ended++) {
    await burst.endOne()
    assert.equal(burst.began.length, 3 + ended)
    assert.deepEqual(burst.followed, [])
  }
  await burst.endOne()
  assert.equal(burst.followed.length, 7)
  for (let left = 3; left > 0; left--) await burst.endOne()
  await all
  assert.deepEqual(
    burst.followed,
    burst.began.map((_, i) => i),
  )
})

test('a single start is followed at once', async () => {
  const burst = new Burst()
  const start = burst.start(1)
  await burst.endOne()
  await start
  assert.deepEqual(burst.followed, [1])
})

test('what was put off comes even if the last start fails', async () => {
  const burst = new Burst()
  const good = Array.from({ length: 4 }, (_, i) => burst.start(i))
  const bad = assert.rejects(burst.start(4, true))
  for (let ended = 0; ended < 5; ended++) await burst.endOne()
  await Promise.all([...good, bad])
  assert.equal(burst.followed.length, 4)
})

test('no more than a bounded number is put off, however many starts wait', async () => {
  const burst = new Burst()
  const all = Promise.all(Array.from({ length: 3_000 }, (_, i) => burst.start(i)))
  await macrotask()
  const most = await burst.endUpTo(3_000)
  await all
  assert.ok(most > 512 && most <= 1_024, `${most}`)
})

test('when so much was too much, what was put off follows at once, and less is put off in this burst', async () => {
  const burst = new Burst()
  const all = Promise.all(Array.from({ length: 1_000 }, (_, i) => burst.start(i)))
  for (let ended = 0; ended < 200; ended++) await burst.endOne()
  assert.deepEqual(burst.followed, [])
  burst.lanes.putOffLess()
  await macrotask()
  assert.equal(burst.followed.length, 200)
  const most = await burst.endUpTo(1_000)
  await all
  assert.ok(most > 50 && most <= 100, `${most}`)
  const next = Promise.all(Array.from({ length: 150 }, (_, i) => burst.start(i)))
  for (let ended = 0; ended < 140; ended++) await burst.endOne()
  assert.equal(burst.followed.length, 1_000)
  for (let left = 10; left > 0; left--) await burst.endOne()
  await next
})

test('starts that hang do not hold up for long what follows the others', async context => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const burst = new Burst()
  const all = Promise.all(Array.from({ length: 10 }, (_, i) => burst.start(i)))
  for (let ended = 0; ended < 5; ended++) await burst.endOne()
  context.mock.timers.tick(1_999)
  await macrotask()
  assert.deepEqual(burst.followed, [])
  context.mock.timers.tick(1)
  await macrotask()
  assert.deepEqual(burst.followed, [0, 1, 2, 3, 4])
  await burst.endOne()
  assert.equal(burst.followed.length, 5)
  for (let left = 4; left > 0; left--) await burst.endOne()
  await all
})
