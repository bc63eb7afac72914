/** Which crontabs Debian's cron accepts, beside which krond accepts: `crontab -n` on odd and random lines. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { UTC } from '@kron/core'
import { parseCrontab } from '@kron/host'
import fc from 'fast-check'

const crontab = process.env['KRON_CRONTAB'] ?? '/usr/bin/crontab'
const work = mkdtempSync(join(tmpdir(), 'kron-accept-'))
after(() => rmSync(work, { recursive: true }))

function cronAccepts(line: string): boolean {
  writeFileSync(join(work, 'tab'), `${line}\n`)
  return spawnSync(crontab, ['-n', join(work, 'tab')]).status === 0
}

const account = (name: string) => ({ name, uid: 0, gid: 0, home: '/', shell: '/bin/sh' })
const kronAccepts = (line: string): boolean =>
  parseCrontab(`${line}\n`, '/crontab', {
    owner: 'root',
    zone: UTC,
    windowNs: 0,
    uid: 0,
    findUser: account,
    listScripts: undefined,
  }).faults.length === 0

/** Lines that other crons know and Debian's refuses: docs/guides/in-crons-place.md names them. */
const OF_OTHERS = /^\s*(?:-|@every_minute|\S*~)|^\s*\S+\s+\S*~/

const field = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('*', '0', '5', '*/5', '1-5', '7', '*/2', '1,3') },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom('*', '/', '-', ',', '0', '1', '7', '31', '60', 'mon', 'JAN', 'x', '#'), {
        minLength: 1,
        maxLength: 5,
      })
      .map(parts => parts.join('')),
  },
)
const entry = fc
  .tuple(field, field, field, field, field, fc.constantFrom(' x', '', ' -q x', '\tx %y', ' \u00e9'))
  .map(([a, b, c, d, e, command]) => `${a} ${b} ${c} ${d} ${e}${command}`)
const variable = fc
  .array(fc.constantFrom('A', 'B', '=', ' ', '"', "'", '\t', '1', '#', '$A', 'CRON_TZ', '@'), {
    minLength: 1,
    maxLength: 7,
  })
  .map(parts => parts.join(''))
const macro = fc
  .tuple(
    fc.constantFrom('@daily', '@Daily', '@reboot', '@hourly', '@weeklyx', '@', '@midnight'),
    fc.constantFrom(' x', '', '\t'),
  )
  .map(parts => parts.join(''))

test('krond accepts every line that cron accepts, and no other', () => {
  let accepted = 0
  const lines = fc.sample(fc.oneof(entry, variable, macro), { numRuns: 1_500, seed: 20 })
  for (const line of lines) {
    if (OF_OTHERS.test(line)) continue
    const cron = cronAccepts(line)
    if (cron) accepted++
    assert.equal(kronAccepts(line), cron, JSON.stringify(line))
  }
  console.log(`${lines.length} lines, ${accepted} accepted by both`)
  assert.ok(accepted > 200 && accepted < lines.length - 200)
})
