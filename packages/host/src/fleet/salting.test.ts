import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { value } from '@kron/testkit/reading'
import { parseJobFile } from '../job-file/parse.ts'
import { readConf } from './conf-file.ts'
import { machineHash } from './machine-id.ts'
import { Salting } from './salting.ts'

const entriesOf = (text: string) => parseJobFile(text, '/etc/krond.d/a.kron').entries
const PLACE = { host: 'web1', machine: 'f'.repeat(32) }

test('a salt of its own goes before the default, and both are expanded', () => {
  const salting = new Salting(PLACE, '%m')
  const [own, none] = entriesOf(
    '0 2 * * * @win(after,2h) @seed(daily,salt=%H-x) name=a command=/bin/true\n' +
      '0 2 * * * @win(after,2h) name=b command=/bin/true\n',
  ).map(entry => value(salting.entry(entry)))
  assert.deepEqual(own!.schedule.seed, { strategy: 'daily', salt: 'web1-x' })
  assert.deepEqual(none!.schedule.seed, { strategy: 'stable', salt: PLACE.machine })
  assert.equal(none!.identity, '/etc/krond.d/a.kron:b')
})

test('without a default and without specifiers the entry stays the same object', () => {
  const [entry] = entriesOf('0 2 * * * @seed(stable,salt=blue) name=a command=/bin/true')
  assert.equal(value(new Salting(PLACE, '').entry(entry!)), entry)
})

test('jobs that share a schedule share the salted one', () => {
  const salting = new Salting(PLACE, '%H')
  const [a, b] = entriesOf('0 2 * * * name=a command=/bin/a\n0 2 * * * name=b command=/bin/b\n').map(entry =>
    value(salting.entry(entry)),
  )
  assert.equal(a!.schedule, b!.schedule)
})

test('an unknown specifier in a job file is a mistake at its place', () => {
  const line = '0 2 * * * @seed(stable,salt=a%h) name=a command=/bin/true'
  const { faults } = parseJobFile(line, '/a.kron')
  assert.deepEqual(
    faults.map(({ line: number, at }) => [number, at]),
    [[1, line.indexOf('%h')]],
  )
  assert.match(faults[0]!.message, /unknown specifier "%h"/)
})

test('the machine hash is the one that systemd-id128 makes, and does not show the id', t => {
  const id = '0123456789abcdef0123456789abcdef'
  assert.equal(machineHash(id), 'cd0bc97a633d4ecc8b4b6712951634e6')
  assert.notEqual(machineHash(id), machineHash(id.replace('0', '1')))
  const application = '8d8d1f1c5a6f4f0e9b7a2a6c1e0b4d57'
  const own = spawnSync('systemd-id128', ['machine-id'], { encoding: 'utf8' })
  const hashed = spawnSync('systemd-id128', ['machine-id', `--app-specific=${application}`], {
    encoding: 'utf8',
  })
  if (own.status !== 0 || hashed.status !== 0)
    t.diagnostic('no systemd-id128 here: compared with a constant only')
  else assert.equal(machineHash(own.stdout.trim()), hashed.stdout.trim())
})

test('krond.conf is read by name, a missing one is empty, and a mistake names the file and line', t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-conf-`)
  t.after(() => rmSync(directory, { recursive: true }))
  assert.deepEqual(readConf(`${directory}/none`), {})
  writeFileSync(`${directory}/conf`, '# fleet\nsalt = %m\n')
  assert.deepEqual(readConf(`${directory}/conf`), { salt: '%m' })
  writeFileSync(`${directory}/conf`, 'slat = %m\n')
  assert.throws(() => readConf(`${directory}/conf`), /conf:1: unknown setting "slat"/)
})
