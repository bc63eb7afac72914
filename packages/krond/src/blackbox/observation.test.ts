import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const krontab = fileURLToPath(new URL('../../../krontab/src/bin/krontab.ts', import.meta.url))

const SCHEDULES = [
  '* * * * * @win(after,30s) @dist(normal)',
  '* * * * * @win(around,40s) @dist(skewLate,shape=3) @tz(Asia/Kathmandu)',
  '* * * * * @win(after,50s) @dist(exponential,lambda=2) @seed(daily,salt="a = b")',
  '* * * * * @win(after,30s) @avoid(between=00:00-23:59)',
  '* * * * *',
]

for (const logFormat of ['json', 'text'] as const) {
  test(`krontab verify recomputes every decision of the daemon's own log in ${logFormat}`, async t => {
    const krond = new Krond(t, { speed: 60 })
    krond.write(SCHEDULES.map((schedule, i) => krond.job(`${schedule} @policy(deadline=10m)`, `job-${i}`)))
    krond.launch({ logFormat })
    await krond.eventually(() => krond.ran().length >= 12, 'a dozen executions')
    await krond.stop()
    const log = krond.read('log')
    const decisions = log.split('\n').filter(line => /event"?[=:]"?decision\b/.test(line)).length
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--conditions=kron-source', krontab, 'verify', '--log', `${krond.directory}/log`, '--format', 'json'],
      { encoding: 'utf8' },
    )
    const verification = JSON.parse(stdout)
    assert.deepEqual([status, verification.matches, verification.checked], [0, true, decisions])
    assert.ok(decisions >= 12)
    assert.match(log, /constraint_unsatisfiable/)
  })
}

test('the log holds no command, no argument and no value of an environment', async t => {
  const krond = new Krond(t, { speed: 60 })
  krond.write([
    krond.job(
      '* * * * * @policy(deadline=10m)',
      'a',
      `${krond.says}; : top-secret-word`,
      'env=PASSWORD=hush-hush',
    ),
  ])
  await krond.start({ flags: ['--log-level', 'debug'], env: { TOKEN: 'do-not-tell' } })
  await krond.until(line => line.event === 'finished', 'an execution')
  await krond.stop()
  const log = krond.read('log')
  for (const secret of ['top-secret-word', 'hush-hush', 'do-not-tell'])
    assert.ok(!log.includes(secret), secret)
  assert.match(log, /^\{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z","level":"info","component":"/m)
})
