import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { instant, kronJob, ONE, observed, THREE, TWO } from '@kron/testkit/operator/plan/fixtures'
import { ScheduleFiles } from '../manifest/schedule-files.ts'
import type { Observed, Plan } from './plan.ts'
import { reconcile } from './reconcile.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const conditionOf = ({ status }: Plan, type: string) => status.conditions!.find(each => each.type === type)!
const window = { mode: 'after', duration: '50m' }
const TODAY = '2026-03-01\n'

describe('calendars of a KronJob', () => {
  const spec = { window, constraints: { avoid: [{ cal: 'holidays' }] } }
  const given = (rest: Partial<Observed> & { at?: string } = {}): Observed =>
    observed({ kronJob: kronJob(spec, { handledThrough: ONE }), at: '2026-03-01T01:55:00Z', ...rest })

  test('a missing calendar is an InvalidSpec, and no period starts', () => {
    for (const files of [undefined, new ScheduleFiles({ 'other.dates': TODAY, 'holidays.csv': '' })]) {
      const plan = reconcile(given(files === undefined ? {} : { files }))
      const { status, message } = conditionOf(plan, 'InvalidSpec')
      assert.equal(status, 'True')
      assert.match(
        message,
        /there is no calendar "holidays"; put holidays.ics or holidays.dates into the ConfigMap kron-files/,
      )
      assert.deepEqual([plan.effects, plan.outcomes, plan.wakeAt], [[], [], undefined])
    }
  })

  test('a calendar that is there decides, and the status carries its digest', () => {
    const plan = reconcile(given({ files: new ScheduleFiles({ 'holidays.dates': '2026-12-25\n' }) }))
    assert.deepEqual(plan.status.calendars, { holidays: sha256('2026-12-25\n') })
    assert.equal(plan.status.nextPeriodID, TWO)
    const closed = reconcile(given({ files: new ScheduleFiles({ 'holidays.dates': TODAY }) }))
    assert.deepEqual(closed.status.calendars, { holidays: sha256(TODAY) })
    assert.equal(closed.status.nextChosenTime, undefined, 'the next period is unschedulable')
  })

  test('a changed calendar leaves handled periods alone', () => {
    const files = new ScheduleFiles({ 'holidays.dates': TODAY })
    const handled = kronJob(spec, { handledThrough: TWO, calendars: { holidays: sha256('2026-12-25\n') } })
    const { outcomes, effects, status } = reconcile(
      given({ kronJob: handled, files, at: '2026-03-01T02:55:00Z' }),
    )
    assert.deepEqual([outcomes, effects, status.handledThrough], [[], [], TWO])
    assert.equal(status.nextPeriodID, THREE)
  })

  test('when a calendar comes back, only the last of the periods that passed starts', () => {
    const minutely = {
      ...spec,
      window: { mode: 'after', duration: '0s' },
      schedule: '* * * * *',
      policy: { deadline: '30m' },
    }
    const files = new ScheduleFiles({ 'holidays.dates': '2026-12-25\n' })
    const status = { handledThrough: ONE, calendars: { holidays: sha256('2026-12-25\n') } }
    const stuck = reconcile(given({ kronJob: kronJob(minutely, status) })).status
    const plan = reconcile(given({ kronJob: kronJob(minutely, stuck), files, at: '2026-03-01T01:20:00Z' }))
    // The period of 01:20 itself is not late, and comes next.
    assert.equal(plan.status.intent?.periodID, '2026-03-01T01:19:00Z')
    assert.equal(conditionOf(plan, 'InvalidSpec').status, 'False')
    assert.ok(plan.outcomes.every(each => each.outcome === 'missed' && each.reason === 'superseded'))
    assert.equal(plan.outcomes.length, 18)
  })
})

describe('weights of a KronJob', () => {
  const spec = { window, distribution: { name: 'weights', params: { file: 'tariff' } } }
  const given = (data: Record<string, string>, status = {}): Observed =>
    observed({
      kronJob: kronJob(spec, { handledThrough: ONE, ...status }),
      files: new ScheduleFiles(data),
      at: '2026-03-01T01:55:00Z',
    })
  const curve = '00:00,0\n02:40,1\n02:45,0\n'

  test('starts follow the curve of the ConfigMap, and the status carries its digest', () => {
    const { status, notes } = reconcile(given({ 'tariff.csv': curve }))
    assert.equal(status.weightsDigest, sha256(curve))
    assert.equal(status.weightsFallback, undefined)
    assert.match(status.nextChosenTime!, /T02:4[0-4]:/)
    assert.ok(notes.every(each => each.type === 'Normal'))
  })

  test('without a curve the window is spread evenly, and an Event says so once', () => {
    const even = observed({
      kronJob: kronJob({ window }, { handledThrough: ONE }),
      at: '2026-03-01T01:55:00Z',
    })
    for (const [data, why] of [
      [{}, 'missing'],
      [{ 'tariff.csv': 'x' }, 'unreadable'],
      [{ 'tariff.csv': '2026-02-01T00:00:00Z,1\n2026-02-02T00:00:00Z,1\n' }, 'stale'],
      [{ 'tariff.csv': '00:00,1\n01:00,0\n' }, 'empty'],
    ] as const) {
      const { status, notes } = reconcile(given(data))
      assert.equal(status.weightsFallback, why)
      assert.equal(status.nextChosenTime, reconcile(even).status.nextChosenTime)
      assert.deepEqual(
        notes.filter(each => each.type === 'Warning').map(each => each.reason),
        ['WeightsFallback'],
      )
      const again = reconcile(given(data, status))
      assert.deepEqual(
        again.notes.filter(each => each.reason === 'WeightsFallback'),
        [],
      )
    }
  })

  test('the decision of a Job carries the digest', () => {
    const { status } = reconcile(given({ 'tariff.csv': curve }))
    const due = given({ 'tariff.csv': curve }, { weightsDigest: status.weightsDigest })
    const [effect] = reconcile({ ...due, now: instant(status.nextChosenTime!) }).effects
    assert.ok(effect?.kind === 'create')
    const [decision] = Object.values(effect.job.metadata.annotations).filter(each =>
      each.includes('weightsDigest'),
    )
    assert.equal(JSON.parse(decision!).weightsDigest, sha256(curve))
  })
})
