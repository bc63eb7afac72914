/** The starts that krond makes of crontab lines, beside those of Debian's cron daemon under a shifted clock. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findZone, next } from '@kron/core'
import { parseCrontab } from '@kron/host'
import { buildClock, type Span, startsOfCron } from '../originals/cron.ts'
import { NIGHTS, SCHEDULES } from './corpus.ts'

const program = process.env['KRON_CRON'] ?? '/usr/sbin/cron'
const work = mkdtempSync(join(tmpdir(), 'kron-drop-in-'))
const clock = buildClock(work)
after(() => rmSync(work, { recursive: true }))

const DAY = 86_400

/** The occurrences of each line, as krond finds them. */
function startsOfKrond({ zone, from, until }: Span): number[][] {
  const text = SCHEDULES.map(schedule => `${schedule} true\n`).join('')
  const { entries, faults } = parseCrontab(text, '/crontab', {
    owner: 'root',
    zone: findZone(zone)!,
    windowNs: 0,
    uid: 0,
    findUser: name => ({ name, uid: 0, gid: 0, home: '/', shell: '/bin/sh' }),
    listScripts: undefined,
  })
  assert.deepEqual(faults, [])
  return entries.map(({ schedule }) => {
    const found: number[] = []
    for (let at = next(schedule.cron, schedule.zone, from); at !== undefined && at < until; ) {
      found.push(at)
      at = next(schedule.cron, schedule.zone, at)
    }
    return found
  })
}

function compare(span: Span): { readonly starts: number; readonly repeated: number } {
  const theirs = SCHEDULES.map((): number[] => [])
  for (const { line, at } of startsOfCron(program, clock, work, SCHEDULES, span)) theirs[line]!.push(at)
  const ours = startsOfKrond(span)
  let [starts, repeated] = [0, 0]
  for (const [line, schedule] of SCHEDULES.entries()) {
    const once = [...new Set(theirs[line])].sort((a, b) => a - b)
    // Cron runs a line once for each of its times that the clock skipped, all in one minute; krond runs it once.
    repeated += theirs[line]!.length - once.length
    starts += once.length
    assert.deepEqual(ours[line], once, `${schedule} in ${span.zone}`)
  }
  return { starts, repeated }
}

test('the corpus has at least 200 lines', () => {
  assert.ok(new Set(SCHEDULES).size >= 200, `${SCHEDULES.length}`)
})

for (const [zone, change, days] of NIGHTS) {
  test(`every line starts when Debian's cron starts it: ${zone}, ${days} days around ${change}`, () => {
    const at = Date.parse(change) / 1000
    const { starts, repeated } = compare({ zone, from: at - (days / 2) * DAY, until: at + (days / 2) * DAY })
    console.log(
      `${zone} ${change}: ${SCHEDULES.length} lines, ${starts} starts equal, ${repeated} repeated by cron alone`,
    )
  })
}
