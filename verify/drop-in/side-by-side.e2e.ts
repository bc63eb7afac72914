/** Debian's cron and krond on one host at the same time: every start, and everything that its command can see. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildExecutable } from '../../packaging/executable/build.ts'
import { compare, table } from './compare.ts'
import { LINES } from './crontabs.ts'
import { observe } from './stage.ts'

const cron = process.env['KRON_CRON'] ?? '/usr/sbin/cron'
const hours = Number(process.env['KRON_HOURS'] ?? 168)
const work = mkdtempSync(join(tmpdir(), 'kron-side-by-side-'))
after(() => rmSync(work, { recursive: true }))

const HOUR = 3_600
const ZONE = 'Europe/Berlin'
const SKIP = Date.parse('2026-03-29T01:00:00Z') / 1000
/** The daemons start before the first minute and end before the last one: no start is in doubt. */
const LEAD = 30
/** In a week most lines come at least once; `29 2 *` does not. */
const WEEK = 168

/** Once, unpacking the crontabs of both daemons at the same time left the machine's root directory closed to other users. */
const modes = (): string[] =>
  ['/', '/etc', '/usr', '/usr/sbin', '/var', '/var/lib', '/var/spool', '/run', '/tmp'].map(
    path => `${path} ${statSync(path).mode.toString(8)}`,
  )

test(`the executable starts what Debian's cron starts, in the same minutes and conditions: ${hours} hours`, async () => {
  const kron = process.env['KRON_EXECUTABLE'] ?? (await buildExecutable(work))
  const before = modes()
  const from = SKIP - Math.min(hours / 4, 24) * HOUR
  const {
    cron: theirs,
    krond: ours,
    log,
  } = observe(cron, kron, { zone: ZONE, from: from - LEAD, until: from + hours * HOUR - LEAD })
  assert.deepEqual(modes(), before, 'the stage changed a directory of the machine')
  const found = compare(theirs, ours, [SKIP])
  const { starts, mails, lines } = found
  console.log(
    `${LINES.length} lines, ${lines} of them started in ${hours} hours of ${ZONE} around the skipped hour`,
  )
  console.log(
    `starts: ${starts.cron} of cron, ${starts.krond} of krond; mails: ${mails.cron} and ${mails.krond}`,
  )
  console.log(table(found))
  assert.deepEqual(
    found.differences.filter(each => each.explanation === undefined),
    [],
  )
  assert.ok(LINES.length >= 200, String(LINES.length))
  if (hours >= WEEK) assert.ok(lines >= 200, String(lines))
  assert.ok(starts.krond > 0 && mails.krond > 0, log)
})
