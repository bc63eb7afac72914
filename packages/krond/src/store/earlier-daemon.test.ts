import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Machine, STATE_DIR } from '@kron/testkit/krond/simulation/machine'

/** The state directory that the krond of commit 19a03a0 left when it was killed, with a journal and a running job. */
const LEFT = JSON.parse(
  readFileSync(new URL('../../../testkit/src/krond/store/earlier-daemon.json', import.meta.url), 'utf8'),
) as {
  readonly lines: readonly string[]
  readonly now: number
  /** The runs that it had started, as `name period`. */
  readonly started: readonly string[]
  readonly files: Readonly<Record<string, string>>
}

test('the state directory of the daemon before the driver is read, and none of its periods runs again', async () => {
  const machine = new Machine({ now: LEFT.now })
  for (const [name, base64] of Object.entries(LEFT.files)) {
    const file = await machine.disk.create(`${STATE_DIR}/${name}`, 0o600)
    await file.write(Buffer.from(base64, 'base64'))
    await file.sync()
  }
  await machine.disk.syncDirectory(STATE_DIR)
  machine.bootId = 'another boot'
  await machine.boot(LEFT.lines)
  assert.equal(machine.fatal, undefined)
  await machine.run(300)
  assert.equal(machine.fatal, undefined)
  const ran = machine.ran()
  assert.ok(ran.length > 8, ran.join(', '))
  assert.deepEqual(
    ran.filter(each => LEFT.started.includes(each)),
    [],
  )
  const long = (await machine.state('long'))!
  const executed = long.History.find(each => each.Outcome === 'executed')
  assert.equal(executed?.PeriodID, '2026-03-01T00:00:00Z')
  assert.equal((await machine.state('short'))!.History[0]?.Outcome, 'executed')
})
