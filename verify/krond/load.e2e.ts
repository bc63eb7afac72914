import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024

/** Noon is still ahead, however long loading takes, and then it comes soon. */
const LONG_BEFORE_NOON = { at: Date.parse('2026-03-01T11:30:00Z') }
async function stepToNoon(krond: Krond): Promise<void> {
  krond.step(Date.parse('2026-03-01T11:59:55Z') - krond.now())
  // Planning reads the clock; otherwise the daemon reads it once a minute.
  for (let reloads = 0; krond.events('clock_jump').length === 0; reloads++) {
    krond.signal('SIGHUP')
    await krond.eventually(() => krond.events('reload').length > reloads, 'the reload')
  }
}

test('10,000 jobs are loaded; the 1,000 that are due in one second all start, and none is missed', async t => {
  const krond = new Krond(t, LONG_BEFORE_NOON)
  krond.write(
    Array.from({ length: 10_000 }, (_, i) =>
      i < 1_000
        ? `0 12 * * * @policy(deadline=1h) name=due-${i} command=/bin/true`
        : `${i % 60} ${i % 11} * * * name=later-${i} command=/bin/true`,
    ),
  )
  await krond.start()
  await stepToNoon(krond)
  await krond.eventually(() => krond.events('finished').length === 1_000, 'a thousand ends')
  assert.equal(new Set(krond.events('started').map(line => line.identity)).size, 1_000)
  assert.equal(krond.events('missed_deadline').length, 0)
  const late = krond.events('started').map(line => Number(line['lateness_ms']))
  t.diagnostic(`the last of 1,000 started after ${Math.max(...late)} ms`)
  assert.equal((await krond.stop()).code, 0)
})

test('children that flood their output leave the memory of the daemon as it is', async t => {
  const krond = new Krond(t, LONG_BEFORE_NOON)
  const SOON = '0 12 * * * @policy(deadline=1h)'
  const flood = 'head -c 500000000 /dev/zero'
  krond.write([
    krond.job(SOON, 'to-file', flood, `stdout=file:${krond.directory}/flood`),
    krond.job(SOON, 'to-nowhere', `${flood}; ${flood}`, 'stdout=discard'),
    krond.job(SOON, 'to-syslog', 'head -c 2000000 /dev/zero', 'stdout=syslog stderr=syslog'),
  ])
  await krond.start()
  await stepToNoon(krond)
  const before = residentMegabytes(krond.pid)
  let most = before
  await krond.eventually(() => {
    most = Math.max(most, residentMegabytes(krond.pid))
    return krond.events('finished').length === 3
  }, 'all floods to end')
  assert.equal(statSync(`${krond.directory}/flood`).size, 500_000_000)
  t.diagnostic(`RSS ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`)
  assert.ok(most < before + 40, `RSS grew from ${before} to ${most} MB`)
  assert.equal((await krond.stop()).code, 0)
})

test('a clock that jumps by a year handles one period, not half a million', async t => {
  const krond = new Krond(t, { speed: 30 })
  krond.write([krond.job('* * * * * @policy(deadline=2m)', 'a')])
  await krond.start()
  await krond.eventually(() => krond.ran().length >= 1, 'a first period')
  const nextYear = krond.now() + 365 * 86_400_000 - 120_000
  krond.step(365 * 86_400_000)
  await krond.until(line => line.event === 'clock_jump', 'the jump')
  const ran = (): number[] => krond.ran().map(line => Date.parse(line.split(' ')[1]!))
  await krond.eventually(() => ran().some(period => period > nextYear), 'a period of the next year')
  const thisYear = krond.now()
  const isJumpedOver = (period: number): boolean => period > thisYear && period < nextYear
  assert.equal((await krond.stop()).code, 0)
  assert.deepEqual(ran().filter(isJumpedOver), [])
  const handled = (await krond.state('a'))!.History.map(each => Date.parse(each.PeriodID))
  assert.ok(handled.filter(isJumpedOver).length <= 1, 'the latest stands for all of them')
})
