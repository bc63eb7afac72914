import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

/** Enough touches for two executions, the writing out of the journal and its cut. */
const LAST_TOUCH = Number(process.env['KRON_E2E_TOUCHES'] ?? 60)
const LANES = 2

const outcomesOf = async (krond: Krond): Promise<Map<string, string>> => {
  const history = (await krond.state('a'))?.History ?? []
  return new Map(history.map(each => [each.PeriodID, each.Outcome]))
}

test('kill -9 before and after every touch of disk and processes: no period twice, no outcome changed', async t => {
  const deaths = Array.from({ length: LAST_TOUCH * 2 }, (_, i) => ({ at: 1 + (i >> 1), after: i % 2 === 1 }))
  const waiting = deaths.values()
  let killed = 0
  const lane = async (): Promise<void> => {
    for (const death of waiting) {
      const krond = new Krond(t, { speed: 60 })
      krond.write([krond.job('* * * * * @policy(deadline=1h,concurrency=allow)', 'a')])
      await krond.start({ circumstances: { death } })
      const { signal } = await krond.runUntil(3)
      if (signal === 'SIGKILL') killed++
      const name = `touch ${death.at} ${death.after ? 'after' : 'before'}`
      const before = krond.stateExists() ? await outcomesOf(krond) : new Map<string, string>()
      const runs = krond.ran().length
      await krond.start()
      await krond.eventually(() => krond.ran().length > runs, `${name}: the next daemon to run a period`)
      assert.equal((await krond.stop()).code, 0, name)
      const ran = krond.ran()
      assert.equal(new Set(ran).size, ran.length, `${name}: ${ran.join(', ')}`)
      const after = await outcomesOf(krond)
      for (const [period, outcome] of before) assert.equal(after.get(period), outcome, `${name}: ${period}`)
      for (const line of ran) {
        assert.equal(after.get(line.split(' ')[1]!), 'executed', `${name}: ${line}\n${krond.transcript()}`)
      }
      krond.discard()
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  t.diagnostic(`${killed} of ${deaths.length} daemons were killed`)
  assert.ok(killed > LAST_TOUCH, `only ${killed} daemons were killed`)
})
