import assert from 'node:assert/strict'
import { chmodSync, existsSync, statSync } from 'node:fs'
import { test } from 'node:test'
import type { OutputRecord } from '@kron/host/api'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const EVERY_MINUTE = '* * * * * @policy(deadline=10m)'
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

test('a failed run is explained by its output, which lives as long as its history entry', async t => {
  const krond = new Krond(t, { speed: 60 })
  const script = 'echo starting; echo "the server does not answer" >&2; exit 3'
  krond.write([krond.job(EVERY_MINUTE, 'import/flaky', script)])
  await krond.start({ flags: ['--history', '2'] })
  await krond.eventually(() => krond.events('finished').length >= 4, 'four runs')
  await krond.stop()
  const history = krond.krontab(['history', krond.identity('import/flaky')])
  assert.match(history.out, /✕ failed: exit code 3/)
  assert.match(history.out, /↳ the server does not answer/)
  const all = krond.krontab(['output', krond.identity('import/flaky')])
  assert.deepEqual([all.code, all.out], [0, 'starting\nthe server does not answer\n'])
  const errors = krond.krontab([
    'output',
    krond.identity('import/flaky'),
    '--last',
    'failed',
    '--stderr-only',
  ])
  assert.equal(errors.out, 'the server does not answer\n')
  const ids = krond.events('finished').map(({ execution_id: id }) => `${krond.stateDir}/runs/${id}.output`)
  assert.deepEqual(
    ids.map(path => existsSync(path)),
    ids.map((_, i) => i >= ids.length - 2),
    'only the two runs in the history keep their output',
  )
  assert.equal(statSync(ids.at(-1)!).mode & 0o777, 0o600)
})

test('a period can be named, and one that is not known is refused', async t => {
  const krond = new Krond(t, { speed: 60 })
  krond.write([krond.job(EVERY_MINUTE, 'a', 'echo "$KRON_PERIOD_ID"')])
  await krond.start()
  await krond.eventually(() => krond.events('finished').length >= 2, 'two runs')
  await krond.stop()
  const period = String(krond.events('finished')[0]!['period_id'])
  assert.equal(krond.krontab(['output', krond.identity('a'), '--period', period]).out, `${period}\n`)
  const unknown = krond.krontab(['output', krond.identity('a'), '--period', '2001-01-01T00:00:00Z'])
  assert.deepEqual([unknown.code, unknown.out], [1, ''])
  assert.match(unknown.err, /has no run of the period 2001/)
})

test('the output of a running job is followed to its end, also by its user over the control socket', {
  skip: isRoot ? false : 'only root can start jobs as another user',
}, async t => {
  const krond = new Krond(t)
  const script = 'echo one; sleep 1; echo two'
  krond.write([
    krond.job(EVERY_MINUTE, 'mine', script, 'user=nobody'),
    krond.job(EVERY_MINUTE, 'roots', 'echo secret'),
  ])
  chmodSync(krond.directory, 0o711)
  krond.step(59_000 - (Date.now() % 60_000))
  await krond.start()
  await krond.until(
    ({ event, identity }) => event === 'started' && identity === krond.identity('mine'),
    'the start of mine',
  )
  const followed = krond.krontab(['output', 'mine', '--follow'], NOBODY)
  assert.deepEqual([followed.code, followed.out], [0, 'one\ntwo\n'], followed.err)
  const others = krond.krontab(['output', 'roots'], NOBODY)
  assert.equal(others.code, 1)
  assert.match(others.err, /there is no job "roots"/)
  assert.doesNotMatch(others.out + others.err, /secret/)
  await krond.stop()
})

test('of a flood the beginning and the end are kept, and the rest is counted', async t => {
  const krond = new Krond(t, { speed: 60 })
  const script = 'echo first; yes | head -c 300000; echo last'
  krond.write([krond.job(EVERY_MINUTE, 'flood', script, 'stdout=discard output_keep=8K')])
  await krond.start()
  await krond.until(({ event }) => event === 'finished', 'the end')
  await krond.stop()
  const { out } = krond.krontab(['output', krond.identity('flood'), '--format', 'json'])
  const { parts, totalBytes } = JSON.parse(out) as OutputRecord
  assert.equal(totalBytes, 300_011)
  const texts = parts.map(part => (part.stream === 'gap' ? '' : part.text))
  assert.ok(texts.join('').length <= 8_192)
  assert.match(texts[0]!, /^first\n/)
  assert.match(texts.at(-1)!, /last\n$/)
  const gap = parts.reduce((sum, part) => sum + (part.stream === 'gap' ? part.bytes : 0), 0)
  assert.equal(gap + texts.join('').length, totalBytes)
})
