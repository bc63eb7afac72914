import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const SOON = '* * * * * @policy(deadline=1h)'

/** Calls of the journal's append in the order of a first execution: seen, intent, started, finished. */
const STEPS = [
  { call: 2, step: 'the intent', code: 'ENOSPC', executed: 0 },
  { call: 3, step: 'the start', code: 'EIO', executed: 1 },
  { call: 4, step: 'the end', code: 'EROFS', executed: 1 },
] as const

for (const { call, step, code, executed } of STEPS) {
  test(`a write of ${step} that fails with ${code} is fatal: ERROR, exit 4, and no period twice afterwards`, async t => {
    const krond = new Krond(t, { speed: 30 })
    krond.write([krond.job(SOON, 'a', `${krond.says}; sleep ${call === 3 ? 600 : 0}`)])
    await krond.start({ circumstances: { faults: [{ operation: 'appendDurably', call, code }] } })
    assert.deepEqual(await krond.exit, { code: 4, signal: null })
    const error = krond.events('error').at(-1)!
    assert.deepEqual([error.level, error['error_type']], ['error', 'PersistenceError'])
    assert.match(String(error['message']), new RegExp(code))
    const first = krond.ran()
    assert.ok(first.length <= executed)
    await krond.start({ flags: ['--stop', 'terminate'] })
    await krond.eventually(() => krond.ran().length > first.length, 'the next daemon to run a period')
    assert.equal((await krond.stop()).code, 0)
    const ran = krond.ran()
    assert.equal(new Set(ran).size, ran.length)
  })
}

test('a state file that cannot be written is fatal too, and what the journal holds is not lost', async t => {
  for (const operation of ['create', 'write', 'sync', 'rename', 'syncDirectory'] as const) {
    const krond = new Krond(t, { speed: 30 })
    krond.write([krond.job(SOON, 'a')])
    await krond.start({ circumstances: { faults: [{ operation, call: 3, code: 'EACCES' }] } })
    assert.equal((await krond.exit).code, 4, operation)
    assert.match(String(krond.events('error').at(-1)!['message']), /EACCES/)
    await krond.start()
    assert.equal((await krond.stop()).code, 0)
    assert.notEqual(await krond.state('a'), undefined)
    const ran = krond.ran()
    assert.equal(new Set(ran).size, ran.length)
  }
})
