/** The daemon of the last commit before kron-shim, with running jobs, and the present one on its state directory. */
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import { BEFORE_SHIM, earlierSources } from '../earlier.ts'

const SPEED = 10
const isRoot = process.getuid?.() === 0
const SCHEDULE = '* * * * * @policy(deadline=50s,concurrency=forbid)'

async function upgrade(t: TestContext, end: (krond: Krond) => Promise<unknown>): Promise<void> {
  const earlier = earlierSources(BEFORE_SHIM)
  if (earlier === undefined) return t.diagnostic(`commit ${BEFORE_SHIM} cannot be had here`)
  const krond = new Krond(t, { speed: SPEED })
  chmodSync(krond.directory, 0o755)
  writeFileSync(`${krond.directory}/ran`, '')
  chmodSync(`${krond.directory}/ran`, 0o666)
  const waits = `${krond.says}; until [ -e ${krond.directory}/go ]; do sleep 0.1; done; exit 5`
  const names = ['plain', 'umask', ...(isRoot ? ['user'] : [])]
  krond.write([
    krond.job(SCHEDULE, 'plain', waits),
    krond.job(SCHEDULE, 'umask', waits, 'umask=0027 nofile=256'),
    ...(isRoot ? [krond.job(SCHEDULE, 'user', waits, 'user=nobody')] : []),
    krond.job('* * * * * @policy(deadline=50s,concurrency=allow)', 'quick'),
  ])
  await krond.start({ earlier })
  const isRunning = (): boolean =>
    names.every(name => krond.ran().some(line => line.startsWith(`${name} `))) &&
    krond.events('started').length >= names.length
  await krond.eventually(isRunning, 'all jobs to run under the earlier daemon')
  await end(krond)
  const before = krond.ran()

  await krond.start()
  const adopted = krond.events('adopted').map(line => String(line.identity).split(':').at(-1))
  assert.deepEqual(adopted.sort(), [...names].sort(), krond.transcript())
  const isForbidden = (): boolean => names.every(name => krond.events('skipped_concurrency', name).length > 0)
  await krond.eventually(isForbidden, 'the next period of each to be skipped: the old run is still there')
  for (const name of names)
    assert.equal(krond.ran().filter(line => line.startsWith(`${name} `)).length, 1, name)
  writeFileSync(`${krond.directory}/go`, '')
  const isNew = (): boolean =>
    names.every(name => krond.events('finished', name).some(line => line['exit_code'] === 5))
  await krond.eventually(isNew, 'each to run once more, with its exit status')
  assert.equal((await krond.stop()).code, 0)
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length)
  for (const line of before) {
    const [name = '', period = ''] = line.split(' ')
    const entry = (await krond.state(name))!.History.find(each => each.PeriodID === period)
    assert.equal(entry?.Outcome, 'executed', `${line}\n${krond.transcript()}`)
  }
  t.diagnostic(`${before.length} runs before, ${ran.length - before.length} after, none twice`)
}

const timeout = 400_000
test('an upgrade after kill -9 of the earlier daemon adopts its runs', { timeout }, t =>
  upgrade(t, krond => krond.stop('SIGKILL')),
)
test('an upgrade after a stop that left the runs adopts them', { timeout }, t =>
  upgrade(t, async krond => {
    // The second signal leaves what runs to the next daemon.
    krond.signal('SIGTERM')
    await new Promise(resolve => setTimeout(resolve, 500))
    await krond.stop()
  }),
)
