import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Event, fieldOf } from '../log/event.ts'
import { openLaunching } from './launching.ts'

/** Starts serve with a control socket whose path has this length; returns the warnings, and whether the socket is there. */
async function withSocketPathOf(bytes: number, t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), 'kron-launching-'))
  t.after(() => rmSync(base, { recursive: true, force: true }))
  const stateDir = join(base, 'state')
  mkdirSync(stateDir, { mode: 0o700 })
  const path = join(base, 'r'.repeat(bytes - `${base}//control.sock`.length))
  const warnings: Event[] = []
  const { serve, runtime } = await openLaunching({
    options: { stateDir, runtimePlaces: [{ path, sync: false }], cgroup: 'none' },
    emit: event => warnings.push(event),
    onDeath: assert.fail,
  })
  const isThere = existsSync(runtime.controlSocket)
  serve.close()
  assert.equal(Buffer.byteLength(runtime.controlSocket), bytes)
  return { warnings, isThere }
}

test('a control socket whose path is too long for the kernel is a warning that names the remedy', async t => {
  assert.deepEqual(await withSocketPathOf(103, t), { warnings: [], isThere: true })
  const { warnings, isThere } = await withSocketPathOf(104, t)
  assert.equal(isThere, false)
  assert.match(String(fieldOf(warnings[0]!, 'message')), /longer than 103 bytes: .* --runtime-dir$/)
})
