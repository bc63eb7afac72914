import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { changeRecord } from './record-file.ts'

const PROCESSES = 4
const CHANGES = 50

function directory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'kron-record-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('processes that add to one record at the same time lose nothing', async t => {
  const here = directory(t)
  const path = `${here}/record.json`
  const script = `
    const { changeRecord } = await import(${JSON.stringify(new URL('record-file.ts', import.meta.url).href)})
    for (let n = 0; n < ${CHANGES}; n++)
      changeRecord(${JSON.stringify(path)}, (before = { sum: 0 }) => ({ sum: before.sum + 1 }))`
  const codes = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const words = ['--no-warnings', '--input-type=module', '--eval', script]
      const [code] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'exit')
      return code as number
    }),
  )
  assert.deepEqual(codes, Array(PROCESSES).fill(0))
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { sum: PROCESSES * CHANGES })
  assert.deepEqual(readdirSync(here), ['record.json'])
})

test('a lock that a killed campaign left is named, and the record stays as it was', t => {
  const path = `${directory(t)}/record.json`
  changeRecord(path, () => ({ sum: 1 }))
  writeFileSync(`${path}.lock`, '')
  assert.throws(() => changeRecord(path, () => ({ sum: 2 }), 20), /record\.json\.lock still exists/)
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { sum: 1 })
})

test('a change that fails leaves the record and no lock', t => {
  const here = directory(t)
  const path = `${here}/record.json`
  changeRecord(path, () => ({ sum: 1 }))
  const fail = (): never => {
    throw new Error('no figures')
  }
  assert.throws(() => changeRecord(path, fail), /no figures/)
  changeRecord<{ sum: number }>(path, before => ({ sum: before!.sum + 1 }))
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { sum: 2 })
  assert.deepEqual(readdirSync(here), ['record.json'])
})
