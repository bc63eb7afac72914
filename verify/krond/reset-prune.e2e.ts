import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { AuditPage, PruneResult, ResetResult } from '@kron/host/api'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const NOON = Date.parse('2026-03-01T12:00:30Z')

test('a missed period runs after a reset; an executed one is refused without --force; both are audited', async t => {
  const krond = new Krond(t, { at: NOON, speed: 60 })
  const program = `${krond.directory}/program`
  const line = (deadline: string): string =>
    `* * * * * @policy(deadline=${deadline}) name=job command=${program}`
  krond.write([line('20s')])
  await krond.start()
  await krond.until(({ event }) => event === 'missed_deadline', 'a period that cannot be started')
  krond.write([krond.job('* * * * * @policy(deadline=2h)', 'job')])
  krond.command('reload')
  assert.equal(krond.krontab(['pause', 'job']).code, 0)
  const [missed] = (await krond.state('job'))!.History.filter(each => each.Outcome === 'missed')
  const before = new Date(Date.parse(missed!.PeriodID) - 1_000).toISOString().replace('.000', '')
  const ran = (await krond.state('job'))!.History.some(each => each.Outcome === 'executed')
  const words = ['reset', 'job', '--to', before, '--format', 'json']
  const first = krond.krontab([...words, ...(ran ? ['--force'] : [])])
  const { changed, forgotten } = JSON.parse(first.out) as ResetResult
  assert.ok(changed && forgotten.includes(missed!.PeriodID), first.out + first.err)
  krond.krontab(['resume', 'job'])
  await krond.eventually(() => krond.ran().length > 0, 'a run')
  krond.krontab(['pause', 'job'])
  const refused = krond.krontab(['reset', 'job', '--to', before])
  assert.deepEqual([refused.code, /job ran, or may have run/.test(refused.err)], [1, true], refused.err)
  assert.equal(krond.krontab(['reset', 'job', '--to', '2030-01-01']).code, 2)
  const { entries } = JSON.parse(krond.krontab(['audit', '--format', 'json']).out) as AuditPage
  const resets = entries.filter(each => each.action === 'reset').map(each => each.result)
  assert.deepEqual(resets, ['refused', 'done'])
  await krond.stop()
})

test('the state of a job that is gone stays until its window is over, and its periods do not run again', async t => {
  const krond = new Krond(t, { at: NOON, speed: 60 })
  const soon = krond.job('* * * * *', 'soon')
  const windowed = (salt: string): string =>
    krond.job(`*/5 * * * * @win(after,30m) @seed(stable,salt=${salt}) @policy(deadline=1h)`, 'windowed')
  const prune = (...flags: string[]): PruneResult => {
    const { code, out, err } = krond.krontab(['prune', '--format', 'json', ...flags])
    assert.equal(code, 0, err)
    return JSON.parse(out) as PruneResult
  }
  krond.write([windowed('a'), soon])
  await krond.start()
  await krond.eventually(() => krond.events('finished', 'windowed').length > 1, 'two runs')
  krond.write([soon])
  krond.command('reload')
  const { removed, kept } = prune()
  assert.deepEqual([removed, kept.map(each => each.why)], [[], ['open']])
  const before = krond.ran().filter(each => each.startsWith('windowed ')).length
  krond.write([windowed('b'), soon])
  krond.command('reload')
  const ofWindowed = (): string[] => krond.ran().filter(each => each.startsWith('windowed '))
  await krond.eventually(() => ofWindowed().length > before + 3, 'further runs')
  assert.equal(new Set(ofWindowed()).size, ofWindowed().length, 'no period runs twice')
  krond.write([soon])
  krond.command('reload')
  await krond.eventually(() => krond.status().running.length === 0, 'the last end')
  krond.step(4 * 3_600_000)
  await krond.until(({ event }) => event === 'clock_jump', 'the clock to jump')
  assert.deepEqual(prune('--dry-run').removed, [krond.identity('windowed')])
  assert.ok(existsSync(krond.statePath('windowed')))
  assert.deepEqual(prune().removed, [krond.identity('windowed')])
  assert.ok(!existsSync(krond.statePath('windowed')) && existsSync(krond.statePath('soon')))
  await krond.stop()
})

test('without a daemon prune holds the lock; with one that does not answer it refuses', async t => {
  const krond = new Krond(t, { at: Date.now() - 90 * 86_400_000, speed: 60 })
  krond.write([krond.job('* * * * *', 'a'), krond.job('* * * * *', 'b')])
  await krond.start()
  await krond.eventually(() => krond.ran().some(each => each.startsWith('a ')), 'a run')
  await krond.stop()
  krond.write([krond.job('* * * * *', 'b')])
  const { out, err } = krond.krontab(['prune', '--format', 'json'])
  assert.deepEqual(JSON.parse(out || err).removed, [krond.identity('a')])
  assert.deepEqual([existsSync(krond.statePath('a')), existsSync(krond.statePath('b'))], [false, true])
  await krond.start()
  krond.signal('SIGSTOP')
  const refused = krond.krontab(['prune'])
  krond.signal('SIGCONT')
  assert.equal(refused.code, 1, refused.err)
  await krond.stop()
})
