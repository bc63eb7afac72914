import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '@kron/runtime'
import { StartPriority } from '../effects/start-priority.ts'
import { printJson } from './json.ts'
import { Slices, type Work } from './slices.ts'

/** A clock that a test moves; it advances a little at every reading, so that no rest lasts long. */
function handClock() {
  const time = { wall: 500, elapsed: 1_000 }
  const elapsed = (): number => {
    time.elapsed += 0.3
    return time.elapsed
  }
  return { time, wall: () => time.wall, elapsed }
}

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(resolve => setImmediate(resolve))
}

function* steps(count: number, onStep: () => void): Work<number> {
  for (let i = 0; i < count; i++) {
    onStep()
    yield
  }
  return count
}

test('long work does not keep short work waiting, and other things happen between slices', async () => {
  const clock = handClock()
  const slices = new Slices(undefined, clock)
  let done = 0
  // Every step takes a millisecond.
  const step = (): void => {
    clock.time.elapsed += 1
    done++
  }
  const long = slices.run(steps(100, step))
  assert.equal(await slices.run(steps(1, step)), 1)
  assert.ok(done < 20, `${done} steps came first`)
  await turns(1)
  assert.ok(done < 30, `${done} steps in one turn`)
  assert.equal(await long, 100)
})

test('no work is done while something starts, and it goes on when the last start has happened', async () => {
  const priority = new StartPriority(systemClock)
  const slices = new Slices(() => priority.idle(), handClock())
  let done = 0
  const [first, second] = [priority.begin(), priority.begin()]
  const work = slices.run(steps(1, () => done++))
  first()
  await turns(3)
  assert.equal(done, 0)
  second()
  await work
  assert.equal(done, 1)
})

test('no slice reaches into a second on which starts are due', async () => {
  const clock = handClock()
  clock.time.wall = 1_998
  const slices = new Slices(undefined, clock)
  let done = 0
  const work = slices.run(steps(1, () => done++))
  await turns(3)
  assert.equal(done, 0)
  clock.time.wall = 2_001
  await work
  assert.equal(done, 1)
})

test('what is refused or fails reaches whoever asked, and leaves the others alone', async () => {
  const slices = new Slices(undefined, handClock())
  const failing = slices.run(
    // biome-ignore lint/correctness/useYield: the generator throws before its first yield.
    (function* (): Work<void> {
      throw new Error('broken')
    })(),
  )
  const fine = slices.run(steps(3, () => {}))
  await assert.rejects(failing, /broken/)
  assert.equal(await fine, 3)
})

test('a long list is printed with pauses, and as JSON prints it', () => {
  const answer = {
    jobs: Array.from({ length: 1_000 }, (_, id) => ({ id, name: `"\u2028${id}` })),
    none: [],
    next: null,
    left: undefined,
    some: { deep: [1, 'two'] },
  }
  const work = printJson(answer)
  let pauses = 0
  for (;;) {
    const { done, value } = work.next()
    if (done) {
      assert.equal(value, JSON.stringify(answer))
      break
    }
    pauses++
  }
  assert.ok(pauses >= 30, `${pauses} pauses`)
})
