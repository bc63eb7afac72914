import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BootClock } from './boot-clock.ts'

/** A machine whose clocks the test moves. */
class Machine {
  monotonic = 1_000
  suspended = 0
  stepped = 0
  reads = 0

  boot(): number {
    return this.monotonic + 500 + this.suspended
  }

  clock(offsetMs?: number): BootClock {
    return new BootClock(offsetMs, {
      // The kernel shows hundredths of a second, rounded down.
      uptimeMs: () => {
        this.reads++
        return Math.floor(this.boot() / 10) * 10
      },
      monotonicMs: () => this.monotonic,
      wallMs: () => 1_700_000_000_000 + this.monotonic + this.suspended + this.stepped,
    })
  }
}

test('boot time follows the monotonic clock exactly, and a suspend is noticed at once', () => {
  const machine = new Machine()
  const clock = machine.clock(500)
  for (const step of [0.25, 3, 7.5, 60_000]) {
    machine.monotonic += step
    assert.equal(clock.nowMs(), machine.boot())
  }
  for (const slept of [3_600_000, 7_200_003.7, 9_000_009.9]) {
    machine.suspended = slept
    const ahead = clock.nowMs() - machine.boot()
    assert.ok(ahead >= 0 && ahead <= 10, `${ahead} ms ahead`)
  }
})

test('a suspend is noticed within a second even if the wall clock was set back by the same time', () => {
  const machine = new Machine()
  const clock = machine.clock(500)
  clock.nowMs()
  machine.suspended = 3_600_000
  machine.stepped = -3_600_000
  machine.monotonic += 1_000
  assert.ok(Math.abs(clock.nowMs() - machine.boot()) <= 10)
})

test('a thousand looks in one second read the uptime once', () => {
  const machine = new Machine()
  const clock = machine.clock(500)
  for (let i = 0; i < 1_000; i++) {
    machine.monotonic += 0.9
    assert.equal(clock.nowMs(), machine.boot())
  }
  assert.equal(machine.reads, 1)
})

test('without a known offset it is right to a hundredth of a second', () => {
  const machine = new Machine()
  assert.equal(machine.clock().nowMs(), machine.boot())
})
