import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { resolveOptions } from '../config/options.ts'
import { makeHttpService } from './make.ts'

const account = { uid: 0, env: {} }
const make = (flags: Readonly<Record<string, string>>) => makeHttpService(resolveOptions(flags, {}, account))

test('without --listen nothing is served', async () => {
  assert.equal(await make({}), undefined)
})

test('beyond this machine a token is needed', async () => {
  for (const listen of ['0.0.0.0:0', '10.1.2.3:9723', '[::]:9723', 'krond.internal:9723'])
    await assert.rejects(make({ listen }), /a token is needed/, listen)
  for (const listen of ['9723', '127.0.0.1:0', '[::1]:0', 'localhost:0', '/run/krond/http.sock'])
    assert.ok(await make({ listen }), listen)
})

test('a token file must be a secret: for its owner only, and long enough to be one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'krond-token-'))
  const file = join(directory, 'token')
  const listen = '0.0.0.0:0'
  await assert.rejects(make({ listen, 'token-file': file }), /cannot use the token file/)
  writeFileSync(file, 'long enough to be one\n', { mode: 0o644 })
  await assert.rejects(make({ listen, 'token-file': file }), /others may read it/)
  chmodSync(file, 0o600)
  assert.ok(await make({ listen, 'token-file': file }))
  writeFileSync(file, 'short\n')
  await assert.rejects(make({ listen, 'token-file': file }), /shorter than 16/)
  rmSync(directory, { recursive: true })
})

test('an address that is none is refused by name', () => {
  assert.throws(() => resolveOptions({ listen: 'nonsense' }, {}, account), /--listen must be host:port/)
  assert.throws(
    () => resolveOptions({}, {}, { uid: 0, env: { KROND_LISTEN: '1:2:3' } }),
    /KROND_LISTEN must be/,
  )
})
