import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const APPLICATIONS = join(import.meta.dirname, '../../../examples/applications')
const directory = mkdtempSync(join(tmpdir(), 'kron-applications-'))
after(() => rmSync(directory, { recursive: true }))

/** Runs an example until it prints a pattern. `stop` ends it as a platform does and returns its output. */
async function start(name: string, pattern: RegExp) {
  const env = { ...process.env, PORT: '0', STATE: join(directory, name) }
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    ['--conditions=kron-source', '--no-warnings', join(APPLICATIONS, name)],
    { env },
  )
  let said = ''
  const ended = once(child, 'exit')
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk
      const found = pattern.exec(said)
      if (found !== null) resolve(found)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    ended.then(([code]) => reject(new Error(`${name} ended with ${code}: ${said}`)))
  })
  const stop = async (): Promise<string> => {
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null], said)
    return said
  }
  return { match, stop }
}

test('every example application has a test', () => {
  assert.deepEqual(readdirSync(APPLICATIONS).sort(), [
    'fastify.mjs',
    'http.mjs',
    'nestjs.mjs',
    'opentelemetry.mjs',
  ])
})

for (const [name, task] of [
  ['http.mjs', 'sessions'],
  ['fastify.mjs', 'invoices'],
] as const) {
  test(`${name} serves its tasks, runs one on request and stops`, async () => {
    const { match, stop } = await start(name, /listening on (\d+)/)
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${match[1]}${path}`)).json()
    assert.equal(((await get('/tasks')) as { name: string }[])[0]?.name, task)
    assert.deepEqual(await get(`/run/${task}`), { kind: 'success' })
    assert.match(await stop(), /stopped/)
  })
}

test('opentelemetry.mjs prints the run as a metric and stops', async () => {
  const { stop } = await start('opentelemetry.mjs', /kron\.task\.runs/)
  assert.match(await stop(), /stopped/)
})

test('nestjs.mjs runs its task on request and stops', async () => {
  const { stop } = await start('nestjs.mjs', /invoices: success/)
  assert.match(await stop(), /stopped/)
})
