import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { closeRuntimeDirectory, openRuntimeDirectory, runtimePlaces } from './runtime-directory.ts'

const uid = process.getuid!()

function base(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'kron-runtime-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

test('two state directories never share a runtime directory, and the usual one has the short name', () => {
  const root = { uid: 0, env: {} }
  const usual = '/var/lib/krond'
  assert.deepEqual(runtimePlaces(root, usual, usual)[0], { path: '/run/krond', sync: false })
  const [a, b] = ['/srv/a', '/srv/b'].map(state => runtimePlaces(root, state, usual)[0]!.path)
  assert.match(a!, /^\/run\/krond\/[0-9a-f]{12}$/)
  assert.notEqual(a, b)
  const user = { uid: 1000, env: { XDG_RUNTIME_DIR: '/run/user/1000' } }
  assert.equal(runtimePlaces(user, usual, usual)[0]!.path, '/run/user/1000/krond')
  assert.deepEqual(runtimePlaces({ uid: 1000, env: {} }, '/s', usual), [{ path: '/s/run', sync: true }])
})

test('the directory keeps its id as long as it is there, and a new one has another', t => {
  const place = { path: join(base(t), 'run'), sync: false }
  const first = openRuntimeDirectory([place], uid)
  assert.equal(openRuntimeDirectory([place], uid).id, first.id)
  closeRuntimeDirectory(first)
  assert.equal(existsSync(place.path), false)
  assert.notEqual(openRuntimeDirectory([place], uid).id, first.id)
})

test('a directory with a claim in it stays when the daemon stops', t => {
  const directory = openRuntimeDirectory([{ path: join(base(t), 'run'), sync: false }], uid)
  writeFileSync(join(directory.claimsDir, 'claim'), '')
  closeRuntimeDirectory(directory)
  assert.ok(existsSync(join(directory.claimsDir, 'claim')))
})

test('a daemon that stops leaves alone all that it did not make, such as the directory of another daemon', t => {
  const usual = { path: join(base(t), 'krond'), sync: false }
  const other = { path: join(usual.path, '0123456789ab'), sync: false }
  const directory = openRuntimeDirectory([usual], uid)
  const neighbour = openRuntimeDirectory([other], uid)
  writeFileSync(join(usual.path, 'mine'), '')
  writeFileSync(directory.controlSocket, '')
  closeRuntimeDirectory(directory)
  assert.equal(openRuntimeDirectory([other], uid).id, neighbour.id)
  assert.deepEqual(readdirSync(usual.path).sort(), ['0123456789ab', 'mine'])
})

test('a directory that somebody removed does not keep a daemon from its end', t => {
  const directory = openRuntimeDirectory([{ path: join(base(t), 'run'), sync: false }], uid)
  rmSync(directory.path, { recursive: true })
  closeRuntimeDirectory(directory)
  assert.equal(existsSync(directory.path), false)
})

test('a place that others can write to, or that is a link, is passed over for the next', t => {
  const at = base(t)
  const good = { path: join(at, 'good'), sync: true }
  mkdirSync(join(at, 'open'))
  chmodSync(join(at, 'open'), 0o777)
  mkdirSync(join(at, 'elsewhere'))
  symlinkSync(join(at, 'elsewhere'), join(at, 'link'))
  for (const bad of ['open', 'link'])
    assert.equal(openRuntimeDirectory([{ path: join(at, bad), sync: false }, good], uid).path, good.path, bad)
  assert.throws(
    () => openRuntimeDirectory([{ path: join(at, 'open'), sync: false }], uid),
    /runtime directory/,
  )
})
