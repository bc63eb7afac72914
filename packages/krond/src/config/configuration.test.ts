import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Salting } from '@kron/host'
import { type Configuration, ConfigurationReader } from './configuration.ts'

const job = (name: string): string => `0 4 * * * name=${name} command=/bin/true\n`

const namesOf = ({ entries }: Configuration): string[] => entries.map(entry => entry.name)

/** A directory with one job in each of two files, and a reader that has read it once. */
function twoFiles(t: TestContext): { jobs: string; reader: ConfigurationReader } {
  const directory = mkdtempSync(join(tmpdir(), 'kron-configuration-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const jobs = join(directory, 'jobs')
  mkdirSync(jobs)
  for (const name of ['a', 'b']) write(jobs, name, job(name))
  const { uid, gid } = { uid: process.getuid!(), gid: process.getgid!() }
  const makeCheck = () => () => undefined
  const salting = new Salting({ host: 'here', machine: undefined }, '')
  const reader = new ConfigurationReader({
    paths: [jobs],
    followSymlinks: false,
    salting,
    uid,
    gid,
    makeCheck,
  })
  assert.deepEqual(namesOf(reader.read()), ['a', 'b'])
  return { jobs, reader }
}

const write = (jobs: string, name: string, text: string): void =>
  writeFileSync(join(jobs, `${name}.kron`), text, { mode: 0o644 })

test('a directory that cannot be read any more keeps the jobs that were loaded from it', t => {
  const { jobs, reader } = twoFiles(t)
  renameSync(jobs, `${jobs}-away`)
  for (let time = 0; time < 2; time++) {
    const gone = reader.read()
    assert.deepEqual(namesOf(gone), ['a', 'b'])
    assert.deepEqual(gone.refused, [jobs])
    assert.match(gone.errors[0]!.message, /cannot read: ENOENT/)
  }
  renameSync(`${jobs}-away`, jobs)
  rmSync(join(jobs, 'a.kron'))
  const back = reader.read()
  assert.deepEqual([namesOf(back), back.errors, back.refused], [['b'], [], []])
})

test('a file with a mistake keeps the jobs it had before, whole', t => {
  const { jobs, reader } = twoFiles(t)
  write(jobs, 'a', `${job('a')}${job('later')}61 * * * * name=wrong command=/bin/true\n`)
  for (let time = 0; time < 2; time++) {
    const { errors, refused, ...rest } = reader.read()
    assert.deepEqual(namesOf({ errors, refused, ...rest }), ['a', 'b'])
    assert.deepEqual([errors.length, refused], [1, [join(jobs, 'a.kron')]])
  }
  write(jobs, 'a', `${job('a')}${job('later')}`)
  assert.deepEqual(namesOf(reader.read()), ['a', 'later', 'b'])
})

test('a file that has never been without a mistake is left out', t => {
  const { jobs, reader } = twoFiles(t)
  write(jobs, 'c', `${job('c')}nonsense\n`)
  assert.deepEqual(namesOf(reader.read()), ['a', 'b'])
})
