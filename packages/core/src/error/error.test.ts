import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf } from '@kron/testkit/reading'
import { parseSchedule } from '../schedule/parse.ts'
import {
  ConfigurationError,
  ConstraintError,
  caret,
  ExecutionError,
  errorOf,
  IncompatibleStateError,
  isKronError,
  KronError,
  PersistenceError,
  SchedulingError,
  SystemError,
  ValidationError,
} from './error.ts'

const FAMILY = {
  ConfigurationError,
  ValidationError,
  SchedulingError,
  ConstraintError,
  ExecutionError,
  PersistenceError,
  SystemError,
  IncompatibleStateError,
}

for (const [name, Class] of Object.entries(FAMILY)) {
  test(`${name} is one of the family and says where, what and why`, () => {
    const cause = new Error('disk full')
    const error = new Class('the state could not be written', {
      component: 'krond',
      operation: 'write state',
      identity: 'prod/db',
      periodId: '2026-03-01T00:00:00Z',
      hint: 'free some space',
      cause,
    })
    assert.ok(error instanceof KronError && error instanceof Error)
    assert.deepEqual(
      [error.name, error.category, error.message],
      [name, name, 'the state could not be written'],
    )
    const { component, operation, identity, periodId, hint } = error
    assert.deepEqual(
      { component, operation, identity, periodId, hint },
      {
        component: 'krond',
        operation: 'write state',
        identity: 'prod/db',
        periodId: '2026-03-01T00:00:00Z',
        hint: 'free some space',
      },
    )
    assert.equal(error.cause, cause)
    assert.equal(String(error), `${name}: the state could not be written`)
  })
}

test('what an error does not know it does not have', () => {
  const error = new SystemError('no', { component: 'c', operation: 'o' })
  for (const key of ['identity', 'periodId', 'hint', 'place', 'cause']) assert.ok(!(key in error), key)
})

test('an error is known as one of the family across copies of this package, as bundles have them', async () => {
  const url = new URL('./error.ts?another-copy', import.meta.url).href
  const copy = (await import(url)) as typeof import('./error.ts')
  const context = { component: 'c', operation: 'o' }
  const error: Error = new copy.SystemError('no', context)
  assert.ok(isKronError(error) && copy.isKronError(new SystemError('no', context)))
  assert.equal((error as unknown) instanceof KronError, false)
  for (const other of [new Error('no'), context, null, undefined, 'SystemError: no'])
    assert.ok(!isKronError(other))
})

test('a fault becomes the error of its category, with its place in the file', () => {
  const source = '0 2 * * * @tz(Nowhere) @win(after,745h)'
  const context = { component: 'krontab', operation: 'parse', source, file: 'jobs.kron', line: 7 }
  const [zone, window] = faultsOf(parseSchedule(source)).map(fault => errorOf(fault, context))
  assert.ok(zone instanceof ConfigurationError && window instanceof ValidationError)
  assert.equal(zone.message, 'unknown time zone "Nowhere"')
  assert.equal(zone.hint, 'write an IANA name such as Europe/Paris')
  assert.deepEqual(zone.place, { file: 'jobs.kron', line: 7, column: 15, length: 7, source })
  assert.equal(window.message, 'the window "745h" is longer than 31 days')
  assert.deepEqual([window.place?.column, window.place?.length], [35, 4])
})

test('a caret stands under the fault', () => {
  assert.equal(caret({ column: 4, length: 2, source: 'ab cd ef' }), 'ab cd ef\n   ^^')
  assert.equal(caret({ column: 9, length: 0, source: 'ab cd ef' }), 'ab cd ef\n        ^')
  assert.equal(caret({ column: 3, length: 1, source: '\t\tx' }), '  x\n  ^')
})

test('a long line is cut around the fault', () => {
  const source = `${'a'.repeat(500)}BAD${'z'.repeat(500)}`
  const [line, marks] = caret({ column: 501, length: 3, source }).split('\n') as [string, string]
  assert.ok(line.length <= 102 && line.startsWith('…') && line.endsWith('…'))
  assert.equal(line.slice(marks.indexOf('^'), marks.length), 'BAD')
})

test('a caret line does not pass on what a terminal would obey', () => {
  assert.equal(caret({ column: 1, length: 1, source: 'a\u001b[31m\rb' }), 'a [31m b\n^')
})
