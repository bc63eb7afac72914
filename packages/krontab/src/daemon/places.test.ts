import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { jobFilePaths } from '../job-files/load.ts'
import { configPaths, daemonStateDirectory } from './places.ts'

const here = mkdtempSync(join(tmpdir(), 'kron-places-'))
after(() => rmSync(here, { recursive: true }))
const contextWith = (env: Record<string, string>, conf = '') => {
  const confFile = join(here, 'krond.conf')
  writeFileSync(confFile, conf)
  return { env, confFile, uid: 0, cwd: here } as unknown as Parameters<typeof configPaths>[0]
}

test('krontab reads job files and states where krond does: variable, krond.conf, default', () => {
  const conf = 'config = /a:/b\nstate-dir = /c\n'
  const variables = { KROND_CONFIG: '/x', KROND_STATE_DIR: '/y' }
  assert.deepEqual(configPaths(contextWith({})), ['/etc/krond.d'])
  assert.deepEqual(configPaths(contextWith({}, conf)), ['/a', '/b'])
  assert.deepEqual(configPaths(contextWith(variables, conf)), ['/x'])
  assert.equal(daemonStateDirectory(contextWith({})), '/var/lib/krond')
  assert.equal(daemonStateDirectory(contextWith({}, conf)), '/c')
  assert.equal(daemonStateDirectory(contextWith(variables, conf)), '/y')
})

test('a configured path may be a directory or a single file', () => {
  mkdirSync(join(here, 'jobs'))
  writeFileSync(join(here, 'jobs/one.kron'), '')
  writeFileSync(join(here, 'two.kron'), '')
  const found = jobFilePaths(contextWith({ KROND_CONFIG: `jobs:${here}/two.kron` }), { file: [] })
  assert.deepEqual(found, [join(here, 'jobs/one.kron'), join(here, 'two.kron')])
})
