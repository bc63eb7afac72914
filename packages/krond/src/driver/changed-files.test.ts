import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCurve, withCalendars, withCurve } from '@kron/core'
import type { Entry } from '@kron/host'
import { assertNoneTwice, job, machineWith, outcomes, T0 } from '@kron/testkit/krond/conformance/scenario'
import { entriesOf } from '@kron/testkit/krond/simulation/places'
import { value } from '@kron/testkit/reading'

const HOURS = 20
const LINES = [
  job('0 * * * * @win(after,50m) @dist(weights,file=x) @policy(deadline=5m)', 'weighted'),
  job('0 * * * * @win(after,50m) @avoid(cal=x) @policy(deadline=5m)', 'calendar'),
]

/** Gives the jobs a curve and a calendar that differ from version to version. */
function versioned(version: number): (lines: readonly string[]) => readonly Entry[] {
  const steps = value(parseCurve(`00:00,1\n${String(version % 24).padStart(2, '0')}:20,${version + 2}\n`))
  const start = T0 + version * 3_600
  const ranges = { days: [], local: [], instants: [[start + 600, start + 1_799]] as const }
  return lines =>
    entriesOf(lines).map(entry => {
      const digest = `${version}`
      const curved = withCurve(entry.schedule, () => ({ digest, steps }))
      return entry.withSchedule(
        value(withCalendars(curved, name => ({ ok: true, value: { name, digest, ranges } }))),
      )
    })
}

test('a changed calendar or curve changes only periods that are not handled yet', async () => {
  let version = 0
  const machine = await machineWith(LINES, { sabotage: { parse: lines => versioned(version)(lines) } })
  await machine.run(30)
  for (let minute = 0; minute < HOURS * 60; minute += 7) {
    version++
    const before = await Promise.all(['weighted', 'calendar'].map(name => outcomes(machine, name)))
    assert.ok(await machine.reload(LINES))
    await machine.run(7 * 60)
    for (const [i, name] of ['weighted', 'calendar'].entries()) {
      const now = await outcomes(machine, name)
      const known = new Set(now.map(each => each.split(' ')[0]))
      assert.equal(known.size, now.length, 'every period has one outcome')
      for (const outcome of before[i]!.slice(-5)) assert.ok(now.includes(outcome), `${outcome} was changed`)
    }
  }
  assertNoneTwice(machine)
  assert.ok(machine.ran().length > HOURS, `${machine.ran().length} runs`)
})
