import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import type { AddedToken, AuditPage, PauseResult } from '@kron/host/api'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const YEARLY = '0 0 1 1 *'
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

test('a job is run by hand: recorded with its user, its output shown, its status passed on', async t => {
  const krond = new Krond(t)
  krond.write([krond.job(YEARLY, 'backup', `${krond.says}; echo hello; exit 3`)])
  await krond.start()
  const waited = krond.krontab(['trigger', 'backup', '--wait'])
  assert.deepEqual([waited.code, waited.out], [3, 'hello\n'], waited.err)
  const history = krond.krontab(['history', krond.identity('backup'), '--format', 'json'])
  const [outcome] = JSON.parse(history.out).outcomes
  assert.deepEqual(
    [outcome.trigger, outcome.by, outcome.periodId, outcome.kind, outcome.exitCode],
    ['manual', isRoot ? 'root' : outcome.by, null, 'failed', 3],
  )
  assert.equal(outcome.lastLine, 'hello')
  const state = await krond.state('backup')
  assert.deepEqual(state!.History, [], 'it is no period')
  await krond.stop()
})

test('under forbid a manual run is refused while a run goes on, and says so', async t => {
  const krond = new Krond(t)
  krond.write([krond.job(YEARLY, 'slow', 'sleep 30')])
  await krond.start({ flags: ['--stop', 'terminate'] })
  assert.equal(krond.krontab(['trigger', 'slow']).code, 0)
  const second = krond.krontab(['trigger', 'slow'])
  assert.equal(second.code, 1)
  assert.match(second.err, /slow is running, and its policy is concurrency=forbid/)
  assert.match(krond.krontab(['trigger', 'nothing']).err, /there is no job "nothing"/)
  await krond.stop()
})

test('a pause keeps a job from starting, survives kill -9, and ends with resume', async t => {
  const krond = new Krond(t, { speed: 60 })
  krond.write([
    krond.job('* * * * * @policy(deadline=10s)', 'a'),
    krond.job('* * * * * @policy(deadline=10s)', 'b'),
  ])
  await krond.start()
  const paused = krond.krontab(['pause', 'a', '--reason', 'a move', '--format', 'json'])
  const { pause } = JSON.parse(paused.out) as PauseResult
  assert.deepEqual([pause.identity, pause.until, pause.reason], [krond.identity('a'), null, 'a move'])
  await krond.stop('SIGKILL')
  await krond.start()
  const before = krond.ran().filter(line => line.startsWith('a ')).length
  const others = krond.ran().length
  await krond.eventually(() => krond.ran().length >= others + 3, 'three runs of the other job')
  assert.equal(krond.ran().filter(line => line.startsWith('a ')).length, before)
  assert.match(krond.krontab(['resume', 'a']).out, /1 pause ended/)
  const long = krond.krontab(['pause', 'a', '--until', '2100-01-01'])
  assert.match(long.out, /it will cost at least 1,000 periods/)
  krond.krontab(['resume', 'a'])
  await krond.eventually(() => krond.ran().filter(line => line.startsWith('a ')).length > before, 'a run')
  await krond.stop()
})

test('every act is in the audit log, which only the operator reads', async t => {
  const krond = new Krond(t)
  krond.write([krond.job(YEARLY, 'a', 'true')])
  await krond.start()
  krond.krontab(['trigger', 'a', '--wait'])
  krond.krontab(['pause', '--all', '--until', '2100-01-01', '--reason', 'holidays'])
  krond.krontab(['resume', '--all'])
  krond.command('reload')
  const { entries } = JSON.parse(krond.krontab(['audit', '--format', 'json']).out) as AuditPage
  assert.deepEqual(
    entries.map(({ action, identity, result }) => [action, identity, result]),
    [
      ['reload', null, 'done'],
      ['resume', null, 'done'],
      ['pause', null, 'done'],
      ['trigger', krond.identity('a'), 'done'],
    ],
  )
  assert.match(entries[2]!.detail, /until 2100-01-01T00:00:00Z: holidays/)
  for (const { from } of entries) assert.match(from, /^control socket, pid \d+$/)
  assert.match(krond.krontab(['audit']).out, /trigger/)
  const path = `${krond.stateDir}/audit.log`
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(readFileSync(path, 'utf8').split('\n').length, 5)
  await krond.stop()
})

test('a user acts on own jobs alone', { skip: isRoot ? false : 'only root can be another user' }, async t => {
  const krond = new Krond(t)
  krond.write([krond.job(YEARLY, 'mine', 'id -un', 'user=nobody'), krond.job(YEARLY, 'roots', 'id -un')])
  chmodSync(krond.directory, 0o711)
  await krond.start()
  const own = krond.krontab(['trigger', 'mine', '--wait'], NOBODY)
  assert.deepEqual([own.code, own.out], [0, 'nobody\n'], own.err)
  assert.match(krond.krontab(['trigger', 'roots'], NOBODY).err, /there is no job "roots"/)
  assert.match(krond.krontab(['pause', '--all'], NOBODY).err, /only root and krond's user may do this/)
  assert.equal(krond.krontab(['pause', 'mine'], NOBODY).code, 0)
  await krond.stop()
})

test('a token lent to somebody allows its scope, over a restart, until it is removed', async t => {
  const krond = new Krond(t)
  krond.write([krond.job(YEARLY, 'a', 'true')])
  const flags = ['--listen', '127.0.0.1:0']
  await krond.start({ flags })
  const added = krond.krontab(['token', 'add', 'grafana'])
  assert.equal(added.code, 0, added.err)
  assert.match(added.out, /^[\w-]{43}\n$/)
  const deploy = krond.krontab(['token', 'add', 'deploy', '--scope', 'operate', '--format', 'json'])
  const [read, operate] = [added.out.trim(), (JSON.parse(deploy.out) as AddedToken).token]
  const listed = krond.krontab(['token', 'list']).out
  assert.match(listed, /grafana +read(.|\n)*deploy +operate/)
  assert.ok(!listed.includes(read) && !listed.includes(operate))
  await krond.stop('SIGKILL')
  await krond.start({ flags })

  const { link } = JSON.parse(krond.krontab(['console', '--format', 'json']).out) as { link: string }
  const ask = async (method: string, path: string, token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'x-kron-request': '1' }
    return (await fetch(new URL(`api/v1/${path}`, link), { method, headers })).status
  }
  const trigger = `jobs/${encodeURIComponent(krond.identity('a'))}/trigger`
  assert.equal(await ask('GET', 'audit', read), 200)
  assert.equal(await ask('POST', trigger, read), 403)
  assert.equal(await ask('POST', trigger, operate), 200)
  assert.equal(await ask('POST', 'reload', operate), 403)
  assert.equal(krond.krontab(['token', 'remove', 'deploy']).code, 0)
  assert.equal(await ask('GET', 'status', operate), 401)
  assert.equal(await ask('GET', 'status', read), 200)

  const { entries } = JSON.parse(krond.krontab(['audit', '--format', 'json']).out) as AuditPage
  assert.deepEqual(
    entries.map(({ who, action, detail }) => [who === 'token deploy' ? who : 'user', action, detail]),
    [
      ['user', 'remove token', 'deploy'],
      ['token deploy', 'trigger', entries[1]!.detail],
      ['user', 'add token', 'deploy, scope operate'],
      ['user', 'add token', 'grafana, scope read'],
    ],
  )
  assert.match(krond.krontab(['token', 'remove', '../token']).err, /there is no token/)
  assert.match(krond.krontab(['token', 'add', 'grafana']).err, /there is a token grafana already/)
  assert.equal(krond.krontab(['token', 'add']).code, 2)
  if (isRoot) {
    chmodSync(krond.directory, 0o711)
    const other = krond.krontab(['token', 'list'], NOBODY)
    assert.deepEqual([other.code, other.out], [1, ''])
    assert.match(other.err, /only root and krond's user manage tokens/)
  }
  await krond.stop()
})
