import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseSchedule } from '../schedule/parse.ts'
import { decide, recordOf } from './decision.ts'
import { attemptsOf } from './explanation.ts'
import { differences, recompute } from './recompute.ts'

const pick = <T>(...values: T[]) => fc.constantFrom(...values)

const schedule = fc
  .tuple(
    pick('UTC', 'Europe/Paris', 'America/St_Johns', 'Australia/Lord_Howe'),
    pick('after', 'around', 'before'),
    pick('0s', '1s', '1.5s', '59s', '2h', '2h1s', '7h0m0.3s', '31h', '744h'),
    pick(
      'uniform',
      'skewEarly',
      'skewLate,shape=0.3',
      'normal',
      'normal,sigma=20m,mu=end',
      'exponential,lambda=3.5,dir=late',
    ),
    pick('stable', 'daily', 'weekly,salt=x', 'stable,salt="a \\" \\\\ ) , b"'),
    pick(
      '',
      '@only(hours=1-5)',
      '@avoid(dow=SAT,SUN;between=02:00-02:30) @only(months=JAN-JUN)',
      '@only(date=2026-12-24)',
    ),
  )
  .map(([zone, mode, length, dist, seed, constraints]) => {
    const text =
      `0 0 1 * * @tz(${zone}) @win(${mode},${length}) @dist(${dist}) @seed(${seed}) ${constraints}`.trimEnd()
    const read = parseSchedule(text)
    assert.ok(read.ok, text)
    return read.value
  })
const nominal = fc.integer({ min: 1_700_000_000, max: 2_000_000_000 })

test('a record alone gives the decision it came from', () => {
  fc.assert(
    fc.property(schedule, nominal, fc.string(), (job, at, identity) => {
      const decision = decide({ identity, schedule: job }, at)
      const record = JSON.parse(JSON.stringify(recordOf(decision)))
      const again = recompute(record)
      assert.ok(again.ok)
      assert.deepEqual(differences(record, again.value), [])
      assert.deepEqual(attemptsOf(again.value), attemptsOf(decision), 'its attempts can be explained, too')
    }),
  )
})

test('a record that was tampered with, or written by another engine, shows where', () => {
  const read = parseSchedule('0 2 * * * @win(after,2h)')
  assert.ok(read.ok)
  const record = recordOf(decide({ identity: 'a', schedule: read.value }, 1_770_000_000))
  const again = recompute({ ...record, chosenTime: record.windowEnd })
  assert.ok(again.ok)
  assert.deepEqual(differences({ ...record, chosenTime: record.windowEnd }, again.value), [
    { field: 'chosenTime', recorded: record.windowEnd, recomputed: record.chosenTime },
  ])
  const other = recompute({ ...record, salt: 'x' })
  assert.ok(other.ok)
  assert.ok(differences({ ...record, salt: 'x' }, other.value).some(each => each.field === 'seedHash'))
})

test('a record that cannot be read says why', () => {
  const read = parseSchedule('0 2 * * *')
  assert.ok(read.ok)
  const record = recordOf(decide({ identity: 'a', schedule: read.value }, 1_770_000_000))
  for (const wrong of [
    { nominalTime: 'soon' },
    { timezone: 'Mars/Phobos' },
    { constraints: '@only(' },
    { distribution: 'x' },
  ]) {
    const again = recompute({ ...record, ...wrong })
    assert.ok(!again.ok && again.faults.length > 0)
  }
})

test('a nominal time that no period can have is reported at no place of its own', () => {
  const read = parseSchedule('0 2 * * *')
  assert.ok(read.ok)
  const record = recordOf(decide({ identity: 'a', schedule: read.value }, 1_770_000_000))
  const again = recompute({ ...record, nominalTime: '1969-12-31T23:59:59Z' })
  assert.ok(!again.ok)
  assert.deepEqual(
    again.faults.map(({ at, length, message }) => [at, length, message]),
    [[0, 0, 'the nominal time -1 is not an instant from 1970 to 9999']],
  )
})
