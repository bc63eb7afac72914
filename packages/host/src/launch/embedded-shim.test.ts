import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { placeShim } from './embedded-shim.ts'

test('the shim of the executable is written once, and again after somebody has changed it', t => {
  const state = mkdtempSync(join(tmpdir(), 'shim-'))
  t.after(() => rmSync(state, { recursive: true }))
  const bytes = Buffer.from('a program')
  const path = placeShim(bytes, state)
  const { ino, mode } = statSync(path)
  assert.equal(mode & 0o777, 0o755)
  assert.equal(placeShim(bytes, state), path)
  assert.equal(statSync(path).ino, ino)
  const attacks = [
    () => writeFileSync(path, 'another program'),
    () => chmodSync(path, 0o777),
    () => {
      rmSync(path)
      writeFileSync(join(state, 'elsewhere'), 'another program', { mode: 0o755 })
      symlinkSync(join(state, 'elsewhere'), path)
    },
  ]
  for (const attack of attacks) {
    attack()
    placeShim(bytes, state)
    assert.equal(readFileSync(path, 'utf8'), 'a program')
    assert.equal(statSync(path).mode & 0o777, 0o755)
  }
  assert.equal(readdirSync(join(state, 'bin')).length, 1)
})
