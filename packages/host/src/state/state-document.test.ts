import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstHandled, IncompatibleStateError } from '@kron/core'
import { instant, scheduleOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { advance } from './advance.ts'
import { handledOf, type State } from './state.ts'
import { readState } from './state-document.ts'
import { seen } from './state-event.ts'

const NOW = instant('2026-03-01T12:00:00Z')
const STATE: State = advance(undefined, 'prod/db', seen(firstHandled(scheduleOf('@hourly'), NOW)))

/** The smallest file that STATE.md allows. */
const SEED_FILE = {
  Version: '1',
  Identity: 'prod/db',
  LastHandledPeriodID: '2026-03-01T11:00:00Z',
  LastOutcome: 'executed',
  LastChosenTime: '2026-03-01T11:20:00Z',
  LastNominalTime: '2026-03-01T11:00:00Z',
}

const read = (document: unknown, identity = 'prod/db') => readState(JSON.stringify(document), identity, NOW)

test('a state that was written is read back', () => {
  assert.deepEqual(read(STATE), { kind: 'state', state: STATE })
})

test("a file of STATE.md's fields alone is read, with the last handled period as watermark", () => {
  const document = read(SEED_FILE)
  assert.ok(document.kind === 'state')
  assert.equal(document.state.HandledThrough, '2026-03-01T11:00:00Z')
  assert.equal(document.state.Seq, 0)
  assert.deepEqual(document.state.History, [])
  assert.equal(document.state.ActiveExecution, null)
})

test('where nothing was handled yet, nothing before now is owed', () => {
  const document = read({
    ...SEED_FILE,
    LastHandledPeriodID: '',
    LastOutcome: '',
    LastChosenTime: '',
    LastNominalTime: '',
  })
  assert.ok(document.kind === 'state')
  assert.deepEqual(handledOf(document.state), { through: NOW, above: [], firstSeen: NOW })
})

test('text that is not JSON is corrupt', () => {
  for (const text of ['', '{', 'null,', '{"Version":"1"', '\0\0\0']) {
    assert.deepEqual(readState(text, 'prod/db', NOW), { kind: 'corrupt' })
  }
})

test('JSON that is no state of this job is refused, with the reason', () => {
  const without = (key: keyof typeof SEED_FILE) => ({ ...SEED_FILE, [key]: undefined })
  const refused: [document: unknown, message: RegExp][] = [
    [null, /does not hold a JSON object/],
    [[], /does not hold a JSON object/],
    [{}, /has no Version/],
    [{ ...SEED_FILE, Version: '2' }, /version 2 is not supported: this program reads version 1/],
    [{ ...SEED_FILE, Version: 'toString' }, /version toString is not supported/],
    [{ ...SEED_FILE, Identity: 'other' }, /belongs to another job: other/],
    [without('Identity'), /has no Identity/],
    [without('LastHandledPeriodID'), /has no LastHandledPeriodID/],
    [without('LastOutcome'), /has no LastOutcome/],
    [without('LastChosenTime'), /has no LastChosenTime/],
    [without('LastNominalTime'), /has no LastNominalTime/],
    [{ ...SEED_FILE, LastOutcome: 'done' }, /"done" is not an outcome/],
    [{ ...SEED_FILE, Seq: 'x' }, /Seq of the state file is not a number/],
    [{ ...SEED_FILE, ActiveExecution: { PeriodID: 'p', PID: 'x' } }, /PID of the state file is not a number/],
    [{ ...SEED_FILE, HandledPeriods: 'x' }, /HandledPeriods of the state file is not a list/],
    [{ ...SEED_FILE, HandledPeriods: [1] }, /a handled period is not text/],
    [{ ...SEED_FILE, ActiveExecution: 'x' }, /an active execution is not an object/],
    [{ ...SEED_FILE, ActiveExecution: {} }, /has no PeriodID/],
    [{ ...SEED_FILE, History: [null] }, /a history entry is not an object/],
    [{ ...SEED_FILE, History: [{}] }, /has no PeriodID/],
    [{ ...SEED_FILE, History: [{ PeriodID: 'x', Outcome: '' }] }, /a history entry has no outcome/],
    [{ ...SEED_FILE, History: [{ PeriodID: 'x', Outcome: 'executed', Signal: 9 }] }, /has no Signal/],
  ]
  for (const [document, message] of refused) {
    assert.throws(
      () => read(document),
      (error: unknown) => {
        assert.ok(error instanceof IncompatibleStateError)
        assert.match(error.message, message)
        assert.deepEqual([error.identity, error.operation], ['prod/db', 'read state'])
        return true
      },
    )
  }
})

test('an older version is migrated step by step, and a migration that fails is refused', () => {
  const older = JSON.stringify({ ...SEED_FILE, Version: '0', LastOutcome: undefined, Outcome: 'missed' })
  const steps = {
    '0': (document: Readonly<Record<string, unknown>>) => ({ ...document, Version: '0.5' }),
    '0.5': ({ Outcome, ...rest }: Readonly<Record<string, unknown>>) => ({
      ...rest,
      LastOutcome: Outcome,
      Version: '1',
    }),
  }
  const document = readState(older, 'prod/db', NOW, steps)
  assert.ok(document.kind === 'state')
  assert.equal(document.state.LastOutcome, 'missed')
  assert.equal(document.state.HandledThrough, SEED_FILE.LastHandledPeriodID)
  const failing = { '0': () => assert.fail('out of ideas') }
  assert.throws(
    () => readState(older, 'prod/db', NOW, failing),
    /the migration from state version 0 failed: .*out of ideas/,
  )
  const circular = { '0': (each: Readonly<Record<string, unknown>>) => each }
  assert.throws(() => readState(older, 'prod/db', NOW, circular), /version 0 is not supported/)
})

test('migrations that lead round in a circle are given up after a hundred steps and one', () => {
  let steps = 0
  const circular = {
    '0': (each: Readonly<Record<string, unknown>>) => {
      steps++
      return each
    },
  }
  assert.throws(() => readState('{"Version":"0"}', 'prod/db', NOW, circular), /version 0 is not supported/)
  assert.equal(steps, 101)
})

test('a number too large for any is refused', () => {
  const text = JSON.stringify(SEED_FILE).replace('{', '{"Seq":1e999,')
  assert.throws(() => readState(text, 'prod/db', NOW), /Seq of the state file is not a number/)
})

test('an exit code is kept, and anything else in its place is none', () => {
  const exitCode = (value: unknown): number | null => {
    const document = read({ ...SEED_FILE, LastExitCode: value })
    assert.ok(document.kind === 'state')
    return document.state.LastExitCode
  }
  assert.deepEqual([exitCode(3), exitCode(0), exitCode('3'), exitCode(null)], [3, 0, null, null])
})

test('an execution of which only the period is known has no process', () => {
  const document = read({ ...SEED_FILE, ActiveExecution: { PeriodID: 'p' } })
  assert.ok(document.kind === 'state')
  assert.deepEqual(document.state.ActiveExecution, {
    PeriodID: 'p',
    PID: 0,
    StartedAt: '',
    ChosenTime: '',
    ExecutionID: '',
    BootID: '',
    BootTime: 0,
    ProcessStart: 0,
  })
})

test('a history entry keeps what it holds, and what it lacks is empty', () => {
  const whole = {
    PeriodID: 'p',
    Outcome: 'executed' as const,
    NominalTime: 'n',
    ChosenTime: 'c',
    CompletedAt: 'd',
    ExitCode: 3,
    Reason: 'r',
    Signal: 's',
    StartedAt: 't',
  }
  const document = readState(
    JSON.stringify({ ...STATE, History: [whole, { PeriodID: 'q', Outcome: 'missed' }] }),
    STATE.Identity,
    NOW,
  )
  assert.ok(document.kind === 'state')
  const bare = { NominalTime: '', ChosenTime: '', CompletedAt: '', ExitCode: null }
  assert.deepEqual(document.state.History, [whole, { PeriodID: 'q', Outcome: 'missed', ...bare }])
})

test('a bad time in the watermark is refused, never guessed', () => {
  assert.throws(
    () => handledOf({ ...STATE, HandledThrough: 'yesterday' }),
    (error: unknown) =>
      error instanceof IncompatibleStateError && /holds a bad time: yesterday/.test(error.message),
  )
})

test('no document makes the reader do anything but answer or refuse', () => {
  const field = fc.constantFrom(...Object.keys(STATE))
  fc.assert(
    fc.property(field, fc.jsonValue(), (key, value) => {
      try {
        read({ ...STATE, [key]: value })
      } catch (error) {
        assert.ok(error instanceof IncompatibleStateError)
      }
    }),
    { numRuns: 2_000, seed: 1 },
  )
})
