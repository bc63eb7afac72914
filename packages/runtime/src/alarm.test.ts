import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Alarm, type ClockJump } from './alarm.ts'
import { systemClock } from './clock.ts'
import { VirtualClock } from './virtual-clock.ts'

const YEAR = 365 * 86_400_000

function watched(clock: VirtualClock) {
  const due: number[] = []
  const jumps: ClockJump[] = []
  let wakes = 0
  const counting = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimer: (milliseconds: number, fire: () => void) =>
      clock.setTimer(milliseconds, () => {
        wakes++
        fire()
      }),
    clearTimer: (timer: unknown) => clock.clearTimer(timer),
  }
  const alarm = new Alarm({
    clock: counting,
    onDue: now => due.push(now),
    onJump: jump => jumps.push(jump),
  })
  return { alarm, due, jumps, wakes: () => wakes }
}

test('an alarm a year away goes off on the millisecond, waking once a minute on the way', () => {
  const clock = new VirtualClock({ now: 1_767_225_600_000 })
  const { alarm, due, wakes } = watched(clock)
  const at = clock.now() + YEAR
  alarm.set(at)
  clock.advance(2 * YEAR)
  assert.deepEqual(due, [at])
  assert.ok(wakes() <= YEAR / 60_000 + 2, `${wakes()} wake-ups`)
  assert.equal(clock.timerCount, 0)
})

test('it never goes off early, however early or late timers fire, and goes off once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -0.9, max: 3, noNaN: true }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      (errors, away) => {
        let turn = 0
        // A timer that is always early by its whole length would never let time pass.
        const distort = (milliseconds: number) =>
          Math.max(1, milliseconds * (1 + errors[turn++ % errors.length]!))
        const clock = new VirtualClock({ now: 50_000, distort })
        const { alarm, due, jumps } = watched(clock)
        alarm.set(50_000 + away)
        clock.advance(1e9)
        assert.equal(due.length, 1)
        assert.ok(due[0]! >= 50_000 + away)
        assert.deepEqual(jumps, [])
      },
    ),
  )
})

test('the last stretch is slept on its own, and the end of it looked at', () => {
  const slept: number[] = []
  const clock = new VirtualClock()
  const alarm = new Alarm({
    clock: {
      now: () => clock.now(),
      setTimer: (milliseconds, fire) => {
        slept.push(milliseconds)
        return clock.setTimer(milliseconds, fire)
      },
      clearTimer: timer => clock.clearTimer(timer),
    },
    onDue: () => {},
  })
  alarm.set(100_000)
  clock.advance(100_000)
  assert.deepEqual(slept, [60_000, 39_750, 248, 2])
})

test('an instant that has passed is due at once, but not within the call', () => {
  const clock = new VirtualClock({ now: 1_000 })
  const { alarm, due } = watched(clock)
  alarm.set(10)
  assert.deepEqual(due, [])
  clock.advance(0)
  assert.deepEqual(due, [1_000])
})

test('moving an alarm leaves only the last instant, clearing it none', () => {
  const clock = new VirtualClock()
  const { alarm, due } = watched(clock)
  alarm.set(5_000)
  alarm.set(9_000)
  alarm.set(3_000)
  clock.advance(20_000)
  assert.deepEqual(due, [3_000])
  alarm.set(30_000)
  alarm.clear()
  assert.equal(alarm.at, undefined)
  clock.advance(100_000)
  assert.deepEqual(due, [3_000])
  assert.equal(clock.timerCount, 0)
})

test('a jump forward past the instant is reported, then the alarm goes off within a minute', () => {
  const clock = new VirtualClock({ now: 1_000 })
  const { alarm, due, jumps } = watched(clock)
  alarm.set(1_000 + 600_000)
  clock.advance(90_000)
  clock.jump(3_600_000)
  clock.advance(60_000)
  assert.deepEqual(jumps, [{ kind: 'forward', by: 3_600_000 }])
  assert.equal(due.length, 1)
})

test('a jump backward is reported once and the alarm waits for its instant', () => {
  const clock = new VirtualClock({ now: 10_000_000 })
  const { alarm, due, jumps } = watched(clock)
  alarm.set(10_100_000)
  clock.advance(30_000)
  clock.jump(-3_600_000)
  clock.advance(3_600_000)
  assert.deepEqual(jumps, [{ kind: 'backward', by: 3_600_000 }])
  assert.deepEqual(due, [])
  clock.advance(100_000)
  assert.deepEqual(due, [10_100_000])
})

test('a handler of a jump may set the alarm anew', () => {
  const clock = new VirtualClock()
  const due: number[] = []
  const alarm: Alarm = new Alarm({
    clock,
    onDue: now => due.push(now),
    onJump: () => alarm.set(clock.now() + 7),
  })
  alarm.set(1_000_000)
  clock.advance(10)
  clock.jump(500_000)
  clock.advance(600_000)
  assert.deepEqual(due, [560_007])
})

test('a jump that is undone by another is reported if the alarm was set between them', () => {
  const clock = new VirtualClock({ now: 1_000_000_000 })
  const { alarm, jumps } = watched(clock)
  alarm.set(2_000_000_000)
  clock.jump(-86_400_000)
  alarm.set(2_000_000_000)
  clock.advance(1)
  clock.jump(86_400_000)
  clock.advance(60_000)
  assert.deepEqual(jumps, [
    { kind: 'backward', by: 86_400_000 },
    { kind: 'forward', by: 86_400_000 },
  ])
})

test('slow adjustment of the clock is no jump, not even when it adds up while nothing is set', () => {
  const clock = new VirtualClock()
  const { alarm, jumps } = watched(clock)
  alarm.set(10_000_000)
  for (let minute = 0; minute < 100; minute++) {
    clock.advance(60_000)
    clock.jump(30)
  }
  alarm.clear()
  clock.advance(86_400_000)
  clock.jump(40_000)
  alarm.set(clock.now() + 100)
  clock.advance(1_000)
  assert.deepEqual(jumps, [])
})

test('on the real clock it does not go off before its instant', async () => {
  for (const away of [0, 1, 40, 300]) {
    const at = Date.now() + away
    const now = await new Promise<number>(resolve => {
      new Alarm({ clock: systemClock, onDue: resolve }).set(at)
    })
    assert.ok(now >= at)
  }
})

test('on the real clock a short timer, too, can be cleared', async () => {
  for (const milliseconds of [0, 2, 3]) {
    const timer = systemClock.setTimer(milliseconds, () => assert.fail(`${milliseconds}`))
    systemClock.clearTimer(timer)
    systemClock.clearTimer(timer)
  }
  await new Promise(resolve => setTimeout(resolve, 20))
})

test('a timer longer than Node can count is not taken for one millisecond', async () => {
  let fired = false
  const timer = systemClock.setTimer(2 ** 40, () => {
    fired = true
  })
  await new Promise(resolve => setTimeout(resolve, 30))
  systemClock.clearTimer(timer)
  assert.equal(fired, false)
})
