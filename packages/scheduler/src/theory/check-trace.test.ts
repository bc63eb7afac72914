import assert from 'node:assert/strict'
import { test } from 'node:test'
import { World } from '@kron/testkit/scheduler/model/world'
import { checkTrace } from './check-trace.ts'
import type { Axiom, TraceEvent } from './trace.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const NOON = Date.parse('2026-06-10T12:00:00Z')

const LIST = [
  ['a', '* * * * *', () => {}, MINUTE],
  ['b', '30 * * * *', () => {}, MINUTE],
]

/** Noon plus some seconds, as an event's time. */
const at = (seconds: number) => ({ at: NOON + seconds * SECOND })

/** The scheduler is initialized half a minute before noon, so that `a` is due at once. */
const BEGUN: readonly TraceEvent[] = [
  { kind: 'InitStart', ...at(-30), call: 1, registrations: LIST },
  { kind: 'InitSuccess', ...at(-30), call: 1 },
  { kind: 'RunStart', ...at(-30), task: 'a' },
  { kind: 'RunSuccess', ...at(-29), task: 'a' },
]

const check = (events: readonly TraceEvent[], endedAt = events.at(-1)!.at) =>
  checkTrace({ timeZone: 'UTC', events, endedAt })

function violates(axiom: Axiom, events: readonly TraceEvent[], endedAt?: number): void {
  const violation = check(events, endedAt)
  assert.equal(violation?.axiom, axiom, JSON.stringify(violation))
}

function holds(events: readonly TraceEvent[], endedAt?: number): void {
  assert.equal(check(events, endedAt), undefined)
}

test('a trace of a correct scheduler violates nothing', () => {
  holds([], NOON)
  holds([
    ...BEGUN,
    { kind: 'RunStart', ...at(0), task: 'a' },
    { kind: 'RunFailure', ...at(5), task: 'a', endedAt: NOON + 4 * SECOND },
    { kind: 'RunStart', ...at(60), task: 'a' },
    { kind: 'StopStart', ...at(61) },
    { kind: 'RunSuccess', ...at(200), task: 'a' },
    { kind: 'StopEnd', ...at(201) },
    { kind: 'InitStart', ...at(300), call: 2, registrations: LIST },
    { kind: 'InitSuccess', ...at(301), call: 2 },
    { kind: 'RunStart', ...at(302), task: 'a' },
    { kind: 'Crash', ...at(303) },
  ])
})

test('S1 rejects a scheduler that runs a task twice in a minute', () => {
  violates('S1', [...BEGUN, { kind: 'RunStart', ...at(-20), task: 'a' }])
})

test('S1 rejects a scheduler that makes up every missed occurrence', () => {
  const events: TraceEvent[] = [
    ...BEGUN,
    { kind: 'StopStart', ...at(-20) },
    { kind: 'StopEnd', ...at(-20) },
    { kind: 'InitStart', ...at(310), call: 2, registrations: LIST },
    { kind: 'InitSuccess', ...at(310), call: 2 },
    { kind: 'RunStart', ...at(310), task: 'a' },
    { kind: 'RunSuccess', ...at(311), task: 'a' },
  ]
  holds(events)
  violates('S1', [...events, { kind: 'RunStart', ...at(312), task: 'a' }])
})

test('S1 takes a task for new when its list is reconciled, also by an initialization that nobody saw succeed', () => {
  const reconciled = (seconds: number): TraceEvent[] => [
    { kind: 'InitStart', ...at(seconds), call: 1, registrations: LIST },
    { kind: 'Reconciled', ...at(seconds), call: 1 },
  ]
  const success: TraceEvent = { kind: 'InitSuccess', ...at(1_805), call: 1 }
  const start: TraceEvent = { kind: 'RunStart', ...at(1_805), task: 'b' }
  holds([...reconciled(1_799), success, start])
  violates('S1', [...reconciled(1_860), { ...success, ...at(1_860) }, { ...start, ...at(1_861) }])
  const again: TraceEvent[] = [
    { kind: 'Crash', ...at(-59) },
    { kind: 'InitStart', ...at(1_860), call: 2, registrations: LIST },
    { kind: 'InitSuccess', ...at(1_860), call: 2 },
    { kind: 'RunStart', ...at(1_860), task: 'b' },
  ]
  holds([...reconciled(-60), ...again])
  violates('S1', [...reconciled(-60).slice(0, 1), ...again])
})

test('S1 rejects a retry before its delay is over, and accepts it then', () => {
  const failed: TraceEvent[] = [
    ...BEGUN.slice(0, 3),
    { kind: 'RunFailure', ...at(-28), task: 'a', endedAt: NOON - 29 * SECOND },
    { kind: 'RunStart', ...at(0), task: 'a' },
    { kind: 'RunFailure', ...at(10), task: 'a', endedAt: NOON + 9 * SECOND },
    { kind: 'RunStart', ...at(60), task: 'a' },
    { kind: 'RunFailure', ...at(61), task: 'a', endedAt: NOON + 61 * SECOND },
  ]
  violates('S1', [...failed, { kind: 'RunStart', ...at(119), task: 'a' }])
  holds([...failed, { kind: 'RunStart', ...at(121), task: 'a' }])
})

test('S1 rejects a start of a task that is not registered, and of a new one outside its minute', () => {
  violates('S1', [...BEGUN, { kind: 'RunStart', ...at(-20), task: 'z' }])
  violates('S1', [...BEGUN, { kind: 'RunStart', ...at(-20), task: 'b' }])
})

test('S1 takes the restart of an orphan for due, once', () => {
  const crashed: TraceEvent[] = [
    ...BEGUN.slice(0, 3),
    { kind: 'Crash', ...at(-29) },
    { kind: 'InitStart', ...at(-25), call: 2, registrations: LIST },
    { kind: 'InitSuccess', ...at(-25), call: 2 },
    { kind: 'RunStart', ...at(-25), task: 'a' },
    { kind: 'RunSuccess', ...at(-24), task: 'a' },
  ]
  holds(crashed)
  violates('S1', [...crashed, { kind: 'RunStart', ...at(-23), task: 'a' }])
})

test('S2 rejects a second success for one occurrence', () => {
  violates('S2', [...BEGUN, { kind: 'RunSuccess', ...at(-28), task: 'a' }])
})

const HOUR = 3_600
/** A task of every Wednesday noon. NOON is one. */
const WEEKLY = [['c', '0 12 * * 3', () => {}, MINUTE]]
/** The task is running. */
const RUNNING: readonly TraceEvent[] = [
  { kind: 'InitStart', ...at(-90), call: 1, registrations: WEEKLY },
  { kind: 'InitSuccess', ...at(-90), call: 1 },
  { kind: 'RunStart', ...at(0), task: 'c' },
]

test('S2 takes a minute that comes again after the clock was set back by more than 25 hours for another occurrence', () => {
  const back = -26 * HOUR
  const setBack: TraceEvent[] = [...RUNNING, { kind: 'ClockSetBack', ...at(back) }]
  const success: TraceEvent = { kind: 'RunSuccess', ...at(back + 70), task: 'c' }
  const again: TraceEvent[] = [
    { kind: 'RunStart', ...at(0), task: 'c' },
    { kind: 'RunSuccess', ...at(1), task: 'c' },
  ]
  const inProgress = [...setBack, success]
  const retried: TraceEvent[] = [
    ...setBack,
    { kind: 'RunFailure', ...at(back + 1), task: 'c', endedAt: at(back + 1).at },
    { kind: 'RunStart', ...at(back + 61), task: 'c' },
    success,
  ]
  const restarted: TraceEvent[] = [
    ...setBack,
    { kind: 'Crash', ...at(back + 1) },
    { kind: 'InitStart', ...at(back + 2), call: 2, registrations: WEEKLY },
    { kind: 'InitSuccess', ...at(back + 2), call: 2 },
    { kind: 'RunStart', ...at(back + 2), task: 'c' },
    success,
  ]
  for (const events of [inProgress, retried, restarted]) {
    holds([...events, ...again])
    violates('S2', [...events, success])
    violates('S2', [...events, ...again, ...again.slice(1)])
    violates('S1', [...events, ...again, ...again])
  }
})

test('S1 and S2 let no minute come again for a task whose last start is at most 25 hours ahead', () => {
  const setBack: TraceEvent[] = [
    ...RUNNING,
    { kind: 'RunSuccess', ...at(1), task: 'c' },
    { kind: 'ClockSetBack', ...at(-25 * HOUR) },
  ]
  holds(setBack)
  violates('S1', [...setBack, { kind: 'RunStart', ...at(0), task: 'c' }])
  violates('S2', [...setBack, { kind: 'RunSuccess', ...at(0), task: 'c' }])
})

test('L1 and S1 let a retry wait anew if a process dies before it stores that the clock was set back', () => {
  const back = -50 * HOUR
  const setBack: TraceEvent[] = [
    ...RUNNING,
    { kind: 'RunFailure', ...at(1), task: 'c', endedAt: at(1).at },
    { kind: 'ClockSetBack', ...at(back) },
  ]
  const crash: TraceEvent = { kind: 'Crash', ...at(back + 1) }
  const loaded = (storedAt: number): TraceEvent => ({
    kind: 'Loaded',
    ...at(back + HOUR),
    task: 'c',
    storedAt,
  })
  const begun: TraceEvent[] = [
    { kind: 'InitStart', ...at(back + HOUR), call: 2, registrations: WEEKLY },
    { kind: 'ClockSetBack', ...at(back + HOUR) },
    { kind: 'InitSuccess', ...at(back + HOUR), call: 2 },
  ]
  const start = (seconds: number): TraceEvent => ({
    kind: 'RunStart',
    ...at(back + HOUR + seconds),
    task: 'c',
  })
  const lost = [...setBack, crash, loaded(NOON), ...begun]
  holds([...lost, start(61)])
  violates('S1', [...lost, start(60)])
  violates('L1', lost, at(back + HOUR + 122).at)
  // The store had it, or has times that the task never had.
  for (const storedAt of [at(back).at, at(-25 * HOUR).at, at(50 * HOUR).at]) {
    const stored = [...setBack, crash, loaded(storedAt), ...begun]
    holds([...stored, start(0)])
    violates('L1', [...stored, start(61)])
  }
  // A process that lives on for more than a minute must store it, unless the store fails.
  const late: TraceEvent[] = [{ ...crash, ...at(back + 61) }, loaded(NOON), ...begun, start(61)]
  violates('L1', [...setBack, ...late])
  const down: TraceEvent = { kind: 'StoreDown', ...at(back + 1) }
  holds([
    ...setBack,
    down,
    ...late.slice(0, 1),
    { ...down, kind: 'StoreUp', ...at(back + 62) },
    ...late.slice(1),
  ])
})

test('S3 rejects a stop that does not wait for a callback', () => {
  violates('S3', [...BEGUN.slice(0, 3), { kind: 'StopStart', ...at(-20) }, { kind: 'StopEnd', ...at(-19) }])
})

test('S4 rejects a scheduler that accepts an invalid list', () => {
  const registrations = [['a', '61 * * * *', () => {}, 0]]
  violates('S4', [
    { kind: 'InitStart', ...at(0), call: 1, registrations },
    { kind: 'InitSuccess', ...at(0), call: 1 },
  ])
  holds([
    { kind: 'InitStart', ...at(0), call: 1, registrations },
    { kind: 'InitFailure', ...at(0), call: 1 },
  ])
})

test('S5 rejects a scheduler that refuses a valid list without need', () => {
  const refused: TraceEvent[] = [
    { kind: 'InitStart', ...at(0), call: 1, registrations: LIST },
    { kind: 'InitFailure', ...at(0), call: 1 },
  ]
  violates('S5', refused)
  holds([...BEGUN, ...refused.map(event => ({ ...event, call: 2, ...at(-20) }))])
  holds([{ kind: 'StoreDown', ...at(0) }, ...refused])
})

test('S6 rejects a second initialization without a stop or a crash in between', () => {
  const again: TraceEvent[] = [
    { kind: 'InitStart', ...at(-20), call: 2, registrations: LIST },
    { kind: 'InitSuccess', ...at(-20), call: 2 },
  ]
  violates('S6', [...BEGUN, ...again])
  holds([...BEGUN, { kind: 'Crash', ...at(-25) }, ...again])
})

test('L1 rejects a scheduler that does not start what is due', () => {
  holds(BEGUN, NOON + 60 * SECOND)
  violates('L1', BEGUN, NOON + 61 * SECOND)
  violates('L1', [...BEGUN, { kind: 'RunStart', ...at(61), task: 'a' }])
  violates('L1', [...BEGUN, { kind: 'StopStart', ...at(61) }])
  holds([...BEGUN, { kind: 'StopStart', ...at(5) }, { kind: 'StopEnd', ...at(6) }], NOON + 5 * MINUTE)
})

test('L1 does not blame the scheduler for a failing store or a clock that is set forward', () => {
  holds([...BEGUN, { kind: 'StoreDown', ...at(0) }], NOON + 5 * MINUTE)
  violates(
    'L1',
    [...BEGUN, { kind: 'StoreDown', ...at(0) }, { kind: 'StoreUp', ...at(100) }],
    NOON + 5 * MINUTE,
  )
  holds([...BEGUN, { kind: 'ClockSetForward', ...at(1000) }, { kind: 'RunStart', ...at(1050), task: 'a' }])
})

test('L1 rejects a scheduler that starves a task while the clock stands still', () => {
  const busy = ['c', '0 0 1 1 *', () => {}, 0]
  const events: TraceEvent[] = [
    { kind: 'InitStart', ...at(-30), call: 1, registrations: [...LIST, busy] },
    { kind: 'Crash', ...at(-30) },
    { kind: 'InitStart', ...at(-30), call: 2, registrations: [...LIST, ['c', '59 11 * * *', () => {}, 0]] },
    { kind: 'InitSuccess', ...at(-30), call: 2 },
  ]
  for (let round = 0; round < 200; round++) {
    events.push({ kind: 'RunStart', ...at(-30), task: 'c' })
    events.push({ kind: 'RunFailure', ...at(-30), task: 'c', endedAt: NOON - 30 * SECOND })
  }
  violates('L1', events)
})

test('L2 rejects an initialization that never ends', () => {
  violates('L2', [{ kind: 'InitStart', ...at(0), call: 1, registrations: LIST }], NOON + 2 * MINUTE)
})

test('L3 rejects a stop that does not end though nothing runs', () => {
  const stopping: TraceEvent[] = [...BEGUN.slice(0, 3), { kind: 'StopStart', ...at(-20) }]
  holds(stopping, NOON + 10 * MINUTE)
  const quiet: TraceEvent[] = [...stopping, { kind: 'RunSuccess', ...at(0), task: 'a' }]
  holds(quiet, NOON + 60 * SECOND)
  violates('L3', quiet, NOON + 2 * MINUTE)
})

test('serial rejects a task that runs twice at once, and an end without a start', () => {
  violates('serial', [...BEGUN.slice(0, 3), { kind: 'RunStart', ...at(0), task: 'a' }])
  violates('serial', [...BEGUN, { kind: 'RunFailure', ...at(-20), task: 'a', endedAt: NOON }])
})

test('quiet rejects a start after a stop was asked for, and between a crash and the next initialization', () => {
  violates('quiet', [...BEGUN, { kind: 'StopStart', ...at(-10) }, { kind: 'RunStart', ...at(0), task: 'a' }])
  violates('quiet', [...BEGUN, { kind: 'Crash', ...at(-10) }, { kind: 'RunStart', ...at(0), task: 'a' }])
})

test('a task that was left out of a list comes anew', () => {
  const without = [['b', '30 * * * *', () => {}, MINUTE]]
  const events: TraceEvent[] = [
    ...BEGUN,
    { kind: 'Crash', ...at(-20) },
    { kind: 'InitStart', ...at(-20), call: 2, registrations: without },
    { kind: 'InitSuccess', ...at(-20), call: 2 },
    { kind: 'Crash', ...at(-10) },
    { kind: 'InitStart', ...at(-5), call: 3, registrations: LIST },
    { kind: 'InitSuccess', ...at(-5), call: 3 },
    { kind: 'RunStart', ...at(-5), task: 'a' },
  ]
  holds(events)
})

/** Runs a real scheduler on a sabotaged store and returns the axiom it violates, if any. */
async function traceWith(sabotage: (world: World) => void): Promise<Axiom | undefined> {
  const world = new World({ now: NOON - 30 * SECOND, timeZone: 'UTC' })
  const list = () => [world.registration('a', '* * * * *', MINUTE)]
  world.scheduler.initialize(list())
  await world.clock.run(3 * MINUTE)
  world.crash(false)
  sabotage(world)
  world.scheduler.initialize(list())
  await world.clock.run(5 * MINUTE)
  return checkTrace(world.recorder.trace(world.clock.now()))?.axiom
}

test('a store that forgets what it promised shows in the trace', async () => {
  assert.equal(await traceWith(() => {}), undefined)
  // Without the last attempts, finished runs start again.
  const forget = (world: World) => {
    const { lastAttemptAt: _, ...record } = world.store.records.get('a')!
    world.store.records.set('a', record)
  }
  assert.equal(await traceWith(forget), 'S1')
  // A record from the future keeps the task from running.
  const postpone = (world: World) => {
    const record = world.store.records.get('a')!
    world.store.records.set('a', { ...record, lastAttemptAt: world.clock.now() + 10 * MINUTE })
  }
  assert.equal(await traceWith(postpone), 'L1')
})
