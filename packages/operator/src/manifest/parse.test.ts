import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSchedule, printSchedule } from '@kron/core'
import type { KronJobSpec } from './kronjob.ts'
import { parseSpec, printFieldFault } from './parse.ts'

const spec = (rest: object): KronJobSpec =>
  ({ schedule: '0 2 * * *', jobTemplate: { spec: {} }, ...rest }) as KronJobSpec

const SAME: readonly (readonly [object, string])[] = [
  [{}, '0 2 * * *'],
  [{ schedule: '@daily' }, '@daily'],
  [
    { timezone: 'Europe/Paris', window: { mode: 'around', duration: '2h' } },
    '0 2 * * * @tz(Europe/Paris) @win(around,2h)',
  ],
  [
    { distribution: { name: 'normal', params: { mu: 'end', sigma: '20m' } } },
    '0 2 * * * @dist(normal,mu=end,sigma=20m)',
  ],
  [
    { distribution: { name: 'exponential', params: { lambda: 2.5 } } },
    '0 2 * * * @dist(exponential,lambda=2.5)',
  ],
  [{ seed: { strategy: 'weekly', salt: 'a "b", c' } }, '0 2 * * * @seed(weekly,salt="a \\"b\\", c")'],
  [
    { policy: { concurrency: 'replace', deadline: '10m', suspend: true } },
    '0 2 * * * @policy(concurrency=replace,deadline=10m,suspend=true)',
  ],
  [
    {
      constraints: {
        only: [{ dow: 'MON-FRI' }, { between: '08:00-20:00' }],
        avoid: [{ dates: '2026-12-24..2026-12-31' }],
      },
    },
    '0 2 * * * @only(dow=MON-FRI;between=08:00-20:00) @avoid(dates=2026-12-24..2026-12-31)',
  ],
]

test('a spec and a krontab line that say the same give the same schedule', () => {
  for (const [fields, line] of SAME) {
    const [mine, theirs] = [parseSpec(spec(fields)), parseSchedule(line)]
    assert.ok(mine.ok && theirs.ok, line)
    assert.equal(printSchedule(mine.schedule), printSchedule(theirs.value))
    assert.deepEqual(mine.schedule, theirs.value)
  }
})

test('every mistake is reported, with its field and the message of the lint', () => {
  const read = parseSpec(
    spec({
      schedule: '0 24 * * *',
      timezone: 'Mars/Phobos',
      window: { mode: 'during', duration: '1d' },
      distribution: { name: 'gauss' },
      seed: { strategy: 'monthly' },
      policy: { concurrency: 'Forbid' },
      constraints: { only: [{ hours: '9-17' }, { hours: '25' }] },
    }),
  )
  assert.ok(!read.ok)
  const line =
    '0 24 * * * @tz(Mars/Phobos) @win(during,1d) @dist(gauss) @seed(monthly) @policy(concurrency=Forbid) @only(hours=9-17;hours=25)'
  const lint = parseSchedule(line)
  assert.ok(!lint.ok)
  assert.deepEqual(
    read.faults.map(each => each.fault.message),
    lint.faults.map(each => each.message),
  )
  assert.deepEqual(
    read.faults.map(each => each.path),
    [
      'spec.schedule',
      'spec.timezone',
      'spec.window',
      'spec.window',
      'spec.distribution',
      'spec.seed',
      'spec.policy',
      'spec.constraints.only[1]',
    ],
  )
})

test('more than a thousand open periods are too many for a status', () => {
  const read = parseSpec(spec({ schedule: '* * * * *', window: { duration: '17h' } }))
  assert.ok(!read.ok)
  assert.match(
    printFieldFault(read.faults[0]!),
    /^spec: up to \d+ periods would be open at once, more than 1000; shorten/,
  )
  assert.ok(parseSpec(spec({ schedule: '* * * * *', window: { duration: '16h' } })).ok)
})
