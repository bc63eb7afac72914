import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSchedule, upcoming } from '@kron/core'
import { checkTrace } from './check-trace.ts'
import type { Axiom, TraceEvent } from './trace.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const SCHEDULE = '0 * * * * @win(after,40m)'
const START = Date.parse('2026-06-10T12:00:00Z')
const LIST = [
  ['a', SCHEDULE, () => {}, MINUTE],
  ['b', '@daily @policy(deadline=10m)', () => {}, { delay: MINUTE, factor: 3, limit: 2 }],
]

/** The second that core chooses for a task in the first hour. */
const DUE = dueOf('test/a')
function dueOf(identity: string): number {
  const parsed = parseSchedule(SCHEDULE)
  assert.ok(parsed.ok)
  for (const { chosen } of upcoming({ identity, schedule: parsed.value }, START / SECOND))
    return chosen! * SECOND
  return assert.fail()
}

const begin = (at: number, call = 1): TraceEvent[] => [
  { kind: 'InitStart', at, call, registrations: LIST },
  { kind: 'InitSuccess', at, call },
]
const BEGUN = begin(START - MINUTE)
const run = (at: number): TraceEvent[] => [
  { kind: 'RunStart', at, task: 'a' },
  { kind: 'RunSuccess', at: at + SECOND, task: 'a' },
]

const check = (events: readonly TraceEvent[], endedAt = events.at(-1)!.at) =>
  checkTrace({ timeZone: 'UTC', schedules: 'kron', namespace: 'test', events, endedAt })

function violates(axiom: Axiom, events: readonly TraceEvent[], endedAt?: number): void {
  const violation = check(events, endedAt)
  assert.equal(violation?.axiom, axiom, JSON.stringify(violation))
}

function holds(events: readonly TraceEvent[], endedAt?: number): void {
  assert.equal(check(events, endedAt), undefined)
}

test('kron: a scheduler that runs a task at its chosen second, and once, violates nothing', () => {
  assert.ok(DUE > START && DUE % (60 * MINUTE) !== 0)
  holds([...BEGUN, ...run(DUE)], DUE + 10 * MINUTE)
})

test('kron, S1: one that runs at the nominal minute, a second early, or under another identity is caught', () => {
  violates('S1', [...BEGUN, ...run(START)])
  violates('S1', [...BEGUN, ...run(DUE - SECOND)])
  const other = dueOf('another/a')
  if (other < DUE) violates('S1', [...BEGUN, ...run(other)])
  else violates('L1', [...BEGUN, ...run(other)])
})

test('kron, S1: one that serves an occurrence after its deadline is caught', () => {
  const midnight = Date.parse('2026-06-11T00:00:00Z')
  const stopped: TraceEvent[] = [
    { kind: 'StopStart', at: START },
    { kind: 'StopEnd', at: START },
  ]
  const late = (at: number): TraceEvent[] => [
    ...BEGUN,
    ...stopped,
    ...begin(at, 2),
    { kind: 'RunStart', at, task: 'b' },
  ]
  holds(late(midnight + 10 * MINUTE))
  violates('S1', late(midnight + 11 * MINUTE))
})

test('kron, S1: one that retries too soon, or beyond the limit of the policy, is caught', () => {
  const midnight = Date.parse('2026-06-11T00:00:00Z')
  const fail = (at: number): TraceEvent[] => [
    { kind: 'RunStart', at, task: 'b' },
    { kind: 'RunFailure', at: at + SECOND, task: 'b', endedAt: at + SECOND },
  ]
  // This test needs only one registration of the list.
  const only = begin(midnight - MINUTE).map(event =>
    'registrations' in event ? { ...event, registrations: [LIST[1]] } : event,
  )
  const first = [...only, ...fail(midnight)]
  const second = [...first, ...fail(midnight + SECOND + MINUTE)]
  const third = [...second, ...fail(midnight + 2 * SECOND + 4 * MINUTE)]
  holds(third)
  violates('S1', [...second, ...fail(midnight + 2 * SECOND + 3 * MINUTE)])
  violates('S1', [...third, ...fail(midnight + 30 * MINUTE)])
  holds(third, midnight + 60 * MINUTE)
})

test('kron, S2: a second success for one occurrence is caught', () => {
  const orphan: TraceEvent[] = [...BEGUN, ...run(DUE), ...run(DUE + 2 * SECOND)]
  // Without an obligation, the start itself is already a violation.
  violates('S1', orphan)
  const again: TraceEvent[] = [
    ...BEGUN,
    { kind: 'RunStart', at: DUE, task: 'a' },
    { kind: 'RunSuccess', at: DUE + SECOND, task: 'a' },
    { kind: 'RunSuccess', at: DUE + 2 * SECOND, task: 'a' },
  ]
  violates('S2', again)
})

test('kron, S3 to S6 and quiet: stops, lists and initializations are judged as ever', () => {
  violates('S3', [
    ...BEGUN,
    { kind: 'RunStart', at: DUE, task: 'a' },
    { kind: 'StopStart', at: DUE },
    { kind: 'StopEnd', at: DUE },
  ])
  const invalid = [['a', '0 * * * * @win(after,40x)', () => {}, 0]]
  violates('S4', [
    { kind: 'InitStart', at: START, call: 1, registrations: invalid },
    { kind: 'InitSuccess', at: START, call: 1 },
  ])
  violates('S5', [
    { kind: 'InitStart', at: START, call: 1, registrations: LIST },
    { kind: 'InitFailure', at: START, call: 1 },
  ])
  violates('S6', [...BEGUN, ...begin(START, 2)])
  violates('quiet', [...BEGUN, { kind: 'StopStart', at: START }, { kind: 'RunStart', at: DUE, task: 'a' }])
  violates('serial', [
    ...BEGUN,
    { kind: 'RunStart', at: DUE, task: 'a' },
    { kind: 'RunStart', at: DUE, task: 'a' },
  ])
})

test('kron, L1 to L3: one that forgets a chosen second, or never ends what it began, is caught', () => {
  violates('L1', BEGUN, DUE + 2 * MINUTE)
  violates('L2', [{ kind: 'InitStart', at: START, call: 1, registrations: LIST }], START + 2 * MINUTE)
  violates('L3', [...BEGUN, { kind: 'StopStart', at: START }], START + 2 * MINUTE)
})

test('a request makes a task due until it starts, the scheduler stops or the process dies', () => {
  const requested: TraceEvent[] = [...BEGUN, { kind: 'Requested', at: START, task: 'a' }]
  holds([...requested, ...run(START)])
  violates('L1', requested, START + 2 * MINUTE)
  violates('S1', [...requested, { kind: 'Crash', at: START }, ...begin(START, 2), ...run(START)])
})

test('room: more callbacks at once than allowed are caught, and waiting for room is no delay', () => {
  const list = ['a', 'b'].map(name => [name, '0 * * * *', () => {}, MINUTE])
  const events: TraceEvent[] = [
    { kind: 'InitStart', at: START, call: 1, registrations: list },
    { kind: 'InitSuccess', at: START, call: 1 },
    { kind: 'RunStart', at: START, task: 'a' },
  ]
  const check = (more: readonly TraceEvent[], endedAt?: number) =>
    checkTrace({
      timeZone: 'UTC',
      maxConcurrent: 1,
      events: [...events, ...more],
      ...(endedAt !== undefined && { endedAt }),
    })
  assert.equal(check([{ kind: 'RunStart', at: START, task: 'b' }])?.axiom, 'room')
  const later = START + 20 * MINUTE
  const freed: TraceEvent[] = [{ kind: 'RunSuccess', at: later, task: 'a' }]
  assert.equal(check([], later), undefined)
  assert.equal(check([...freed, { kind: 'RunStart', at: later, task: 'b' }]), undefined)
  assert.equal(check(freed, later + 2 * MINUTE)?.axiom, 'L1')
})
