import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { activeOf } from '@kron/host'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import type { LogLine } from '@kron/testkit/krond/blackbox/log-file'

/** Mounts a small disk for the state; returns the reason if it cannot. */
function mountSmallDisk(krond: Krond): string | undefined {
  mkdirSync(krond.stateDir, { mode: 0o700 })
  const { status, stderr, error } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'tmpfs', krond.stateDir],
    { encoding: 'utf8' },
  )
  if (status !== 0) return `a tmpfs cannot be mounted here: ${error?.message ?? stderr.trim()}`
  krond.beforeRemoval = () => void spawnSync('umount', ['-l', krond.stateDir])
  return undefined
}

/** On a busy machine a refused start, which is tried again, may be an error as well. */
const isStopOfStarts = ({ event, ...fields }: LogLine): boolean =>
  event === 'error' && fields['error_type'] === 'PersistenceError'

test('a job that fills the disk of the state stops starts, not the daemon, and nothing is lost', async t => {
  const krond = new Krond(t, { speed: 60 })
  const why = mountSmallDisk(krond)
  if (why !== undefined) return t.skip(why)
  const filled = `${krond.stateDir}/filled`
  krond.write([
    krond.job('* * * * * @policy(deadline=10m)', 'tick'),
    krond.job(
      '* * * * *',
      'filler',
      `if [ -e ${krond.directory}/go ]; then rm ${krond.directory}/go; cat /dev/zero > ${filled}; fi`,
    ),
  ])
  await krond.start()
  await krond.eventually(() => krond.ran().length >= 2, 'the job to run')
  writeFileSync(`${krond.directory}/go`, '')
  const stopped = await krond.until(isStopOfStarts, 'krond to stop starts')
  assert.match(String(stopped['message']), /the disk is nearly full.*no job starts meanwhile/)
  const queued = await krond.until(({ event }) => event === 'queued', 'a start to wait for room')
  assert.equal(queued['reason'], 'disk')
  const before = krond.ran().length
  assert.match(krond.status().startsStopped ?? '', /nearly full/)
  assert.match(krond.command('status').output, /no job starts: the disk is nearly full/)
  await new Promise(resolve => setTimeout(resolve, 3_000))
  assert.equal(krond.ran().length, before, 'nothing starts while there is no room')
  rmSync(filled)
  await krond.until(({ event }) => event === 'disk_room', 'krond to find room again')
  await krond.eventually(() => krond.ran().length > before + 2, 'jobs to start again')
  assert.equal(krond.status().startsStopped, null)
  assert.deepEqual(await krond.stop(), { code: 0, signal: null })
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length, 'no period ran twice')
  const state = await krond.state('tick')
  assert.equal(activeOf(state!).length, 0, 'every end is on record')
})

test('a daemon that is killed on a full disk starts again on it, and goes on when there is room', async t => {
  const krond = new Krond(t, { speed: 60 })
  const why = mountSmallDisk(krond)
  if (why !== undefined) return t.skip(why)
  krond.write([krond.job('* * * * * @policy(deadline=10m)', 'tick')])
  await krond.start()
  await krond.eventually(() => krond.ran().length >= 2, 'the job to run')
  const filled = `${krond.stateDir}/filled`
  spawnSync('sh', ['-c', `cat /dev/zero > ${filled}`])
  await krond.until(isStopOfStarts, 'krond to stop starts')
  await krond.stop('SIGKILL')
  await krond.start()
  assert.ok(krond.log.filter(({ event }) => event === 'started_daemon').length === 2, krond.transcript())
  const before = krond.ran().length
  rmSync(filled)
  await krond.eventually(() => krond.ran().length > before + 2, 'jobs to start again')
  assert.deepEqual(await krond.stop(), { code: 0, signal: null })
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length, 'no period ran twice')
})

test('a daemon whose records wait for room on a full disk stops when it is told to', async t => {
  const krond = new Krond(t, { speed: 60 })
  const why = mountSmallDisk(krond)
  if (why !== undefined) return t.skip(why)
  // Every minute each of them is recorded as unschedulable: soon more than the reserve of the journal.
  const never = '* * * * * @win(after,10s) @only(dow=MON) @avoid(dow=MON)'
  krond.write(Array.from({ length: 60 }, (_, n) => krond.job(never, `never-${n}`)))
  await krond.start()
  await krond.until(({ event }) => event === 'constraint_unsatisfiable', 'a record')
  spawnSync('sh', ['-c', `cat /dev/zero > ${krond.stateDir}/filled`])
  await krond.until(isStopOfStarts, 'krond to stop starts')
  let [count, changedAt] = [0, Date.now()]
  await krond.eventually(() => {
    const now = krond.events('constraint_unsatisfiable').length
    if (now > count) [count, changedAt] = [now, Date.now()]
    return Date.now() - changedAt > 3_000
  }, 'records to wait')
  const { code, signal } = await krond.stop()
  assert.equal(signal, null)
  assert.ok(code === 0 || code === 4, `exit code ${code}`)
})
