import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const MINUTELY = '* * * * *'
const SPEED = 20

test('a restart with a running job pauses no other job', async t => {
  const krond = new Krond(t, { speed: SPEED })
  const other = (): string[] => krond.ran().filter(each => each.startsWith('other '))
  krond.write([
    krond.job(MINUTELY, 'long', `${krond.says}; sleep 600`),
    krond.job(MINUTELY, 'other', krond.says),
  ])
  await krond.start()
  await krond.eventually(() => krond.events('started', 'long').length > 0, 'the long run')
  for (let restart = 0; restart < 5; restart++) {
    const before = other().length
    await krond.eventually(() => other().length > before, 'a run before the restart')
    await krond.stop('SIGKILL')
    const seen = krond.log.length
    await krond.start()
    const upAt = krond.now()
    assert.equal(
      krond.log.slice(seen).filter(each => each.event === 'adopted').length,
      1,
      'the run is adopted',
    )
    const at = other().length
    await krond.eventually(() => other().length > at, 'a run after the restart')
    const next = other()[at]!.split(' ')[1]!
    // The first period whose minute began after the daemon was up is the one that runs: nothing is passed over.
    const first = Math.ceil(upAt / 60_000) * 60_000
    assert.ok(Date.parse(next) <= first, `${next} ran first, krond was up at ${new Date(upAt).toISOString()}`)
  }
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length)
  assert.equal(ran.filter(each => each.startsWith('long ')).length, 1)
  await krond.stop('SIGKILL')
})

test('output for a syslog that is not there is logged as lost, and kept', async t => {
  const krond = new Krond(t, { speed: 60 })
  krond.write([
    krond.job(MINUTELY, 'a', `${krond.says}; echo into the void`, 'stdout=syslog'),
    krond.job(MINUTELY, 'b', `${krond.says}; echo to the log`),
  ])
  await krond.start()
  await krond.eventually(() => krond.events('finished').length > 3, 'ends')
  const hasSyslog = existsSync('/dev/log')
  assert.equal(krond.events('output_lost', 'a').length > 0, !hasSyslog)
  assert.deepEqual(krond.events('output_lost', 'b'), [])
  const { out } = krond.krontab(['output', krond.identity('a')])
  assert.equal(out, 'into the void\n')
  await krond.stop()
})
