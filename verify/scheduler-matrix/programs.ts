/** The programs of the matrix: the same application, written in every way that we support. */

/** Takes the package's exports and a directory; throws if anything is not as it should be. */
export const CHECK = `
async function check(kron, directory) {
  const assert = (condition, message) => { if (!condition) throw new Error(message) }
  const { makeScheduler, fileStore, sqliteStore, memoryStore, virtualClock, runNow, tasksOf } = kron
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const stores = [() => memoryStore(), () => fileStore(directory + '/files')]
  const sqlite = () => sqliteStore(directory + '/tasks.db')
  try { const probe = sqlite(); await probe.load(); await probe.close(); stores.push(sqlite) } catch (error) {
    assert(/needs the package better-sqlite3/.test(error.message), 'sqliteStore: ' + error.message)
  }
  for (const makeStore of stores) {
    const clock = virtualClock('2026-06-10T12:00:00Z')
    const store = makeStore()
    const scheduler = makeScheduler({ store, clock, logger, schedules: 'kron' })
    let runs = 0
    await scheduler.initialize([
      ['minute', '* * * * *', async ({ signal, attempt }) => { assert(!signal.aborted && attempt === 1, 'context'); runs++ }, '5m'],
      ['night', '0 3 * * * @tz(Europe/Paris) @win(after,2h)', async () => { runs++ }, { delay: '1m', factor: 2, limit: 3 }],
    ])
    // A disk under load may take its time, and the clock waits for it.
    const until = async isDone => {
      for (let turn = 0; turn < 500 && !isDone(); turn++) await clock.run(20, () => new Promise(resolve => setTimeout(resolve, 20)))
    }
    await until(() => runs === 1)
    clock.advance(60_000)
    await until(() => runs === 2)
    assert(runs === 2, 'two minutes have run, not ' + runs)
    let result
    runNow(scheduler, 'night').then(ended => { result = ended })
    await until(() => result !== undefined)
    assert(result?.kind === 'success', 'runNow')
    assert(tasksOf(scheduler).length === 2, 'tasksOf')
    if (makeStore !== stores[0]) {
      const second = await makeStore().load().then(() => 'taken', error => error.message)
      assert(/is locked by/.test(second), 'a second store is refused, not: ' + second)
    }
    await scheduler.stop()
    const again = makeScheduler({ store: makeStore === stores[0] ? store : makeStore(), clock, logger, schedules: 'kron' })
    await again.initialize([])
    await again.stop()
  }
}
`

/** Under fake timers: the clock moves when the test moves it, and stop does not wait for it. */
export const fakeTimers = (advance: string): string => `
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  for (const store of [kron.memoryStore(), kron.fileStore(directory + '/fake')]) {
    let runs = 0
    const scheduler = kron.makeScheduler({ store, logger, timeZone: 'UTC' })
    await scheduler.initialize([['a', '* * * * *', async () => { runs++ }, 0]])
    for (let step = 0; step < 130; step++) { ${advance} }
    if (runs < 2) throw new Error('two minutes have passed, but it ran ' + runs + ' times')
    await scheduler.stop()
  }
`

export const ESM = `${CHECK}
import * as kron from '@kron/scheduler'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
await check(kron, mkdtempSync(tmpdir() + '/kron-matrix-'))
console.log('fine')
process.exit(0)
`

export const CJS = `${CHECK}
const kron = require('@kron/scheduler')
const { mkdtempSync } = require('node:fs')
const { tmpdir } = require('node:os')
check(kron, mkdtempSync(tmpdir() + '/kron-matrix-')).then(() => { console.log('fine'); process.exit(0) }, error => { console.error(error); process.exit(1) })
`

/** Typed, and used as an application would. */
export const TYPESCRIPT = `
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileStore, makeScheduler, type Registration, type SchedulerEvent, SchedulerError, StoreLostError, tasksOf } from '@kron/scheduler'

const events: SchedulerEvent[] = []
const tasks: Registration[] = [['a', '* * * * *', async ({ signal, scheduledFor }) => { signal.throwIfAborted(); const at: number = scheduledFor; return at }, '5m']]
const scheduler = makeScheduler({ store: fileStore(mkdtempSync(tmpdir() + '/kron-matrix-')), onEvent: event => { events.push(event) } })
async function main(): Promise<void> {
  await scheduler.initialize(tasks)
  const next: number | undefined = tasksOf(scheduler)[0]?.nextDueAt
  if (next === undefined) throw new Error('no next run')
  await scheduler.stop()
  const error: unknown = new StoreLostError('x')
  if (!(error instanceof SchedulerError)) throw new Error('classes')
  console.log('fine')
}
main().catch(error => { console.error(error); process.exit(1) })
`

const IN_TEST = `const directory = require('node:fs').mkdtempSync(require('node:os').tmpdir() + '/kron-matrix-')`
const IN_MODULE = `
import { mkdtempSync } from 'node:fs'
import { setTimeout as timeout } from 'node:timers'
import { tmpdir } from 'node:os'
const realTimeout = timeout
const directory = mkdtempSync(tmpdir() + '/kron-matrix-')
`
/** Long enough for a disk. */
const YIELD = 'await new Promise(resolve => realTimeout(resolve, 5))'

/** The tests of a runner whose fake timers have this name. */
const testsWith = (timers: 'jest' | 'vi'): string => `
test('it works', () => check(kron, directory), 30000)
test('under fake timers', async () => {
  ${timers}.useFakeTimers()
  ${fakeTimers(`await ${timers}.advanceTimersByTimeAsync(1000); ${YIELD}`)}
  ${timers}.useRealTimers()
}, 30000)
`

export const JEST_CJS = `${CHECK}
const kron = require('@kron/scheduler')
const { setTimeout: realTimeout } = require('node:timers')
${IN_TEST}
${testsWith('jest')}`

export const JEST_ESM = `${CHECK}
import { jest } from '@jest/globals'
import * as kron from '@kron/scheduler'
${IN_MODULE}
${testsWith('jest')}`

export const TS_JEST = `
import { fileStore, makeScheduler, memoryStore } from '@kron/scheduler'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
declare function test(name: string, body: () => Promise<void>): void
test('it works', async () => {
  for (const store of [memoryStore(), fileStore(mkdtempSync(tmpdir() + '/kron-matrix-'))]) {
    const scheduler = makeScheduler({ store })
    await scheduler.initialize([['a', '0 3 * * *', async () => {}, 1000]])
    await scheduler.stop()
  }
})
`

export const VITEST = `${CHECK}
import { test, vi } from 'vitest'
import * as kron from '@kron/scheduler'
${IN_MODULE}
${testsWith('vi')}`

export const NODE_TEST = `${CHECK}
import { mock, test } from 'node:test'
import * as kron from '@kron/scheduler'
${IN_MODULE}
test('it works', () => check(kron, directory))
test('under mock timers', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: 1781092800000 })
  ${fakeTimers(`mock.timers.tick(1000); ${YIELD}`)}
  mock.timers.reset()
})
`

/** The files of a Next application whose one route runs the check in the server. */
export const NEXT: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true }',
  'next.config.mjs': `import { dirname } from 'node:path'
const root = dirname(import.meta.dirname)
export default { output: 'standalone', outputFileTracingRoot: root, turbopack: { root } }
`,
  'app/layout.js':
    'export default function Layout({ children }) { return <html><body>{children}</body></html> }',
  'app/check/route.js': `${CHECK}
import * as kron from '@kron/scheduler'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
export const dynamic = 'force-dynamic'
export async function GET() {
  try {
    await check(kron, mkdtempSync(tmpdir() + '/kron-matrix-'))
    return new Response('fine')
  } catch (error) {
    return new Response(error.stack, { status: 500 })
  }
}
`,
}

/** Starts a server on a free port, asks it for the check and ends it; the argument is its file. */
export const ASK_NEXT = `
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
const free = await new Promise(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => resolve(port))
  })
})
const env = { ...process.env, PORT: String(free), HOSTNAME: '127.0.0.1' }
const server = spawn(process.execPath, [process.argv[2]], { env, stdio: ['ignore', 'inherit', 'inherit'] })
let answer = 'the server did not answer'
for (let round = 0; round < 200 && server.exitCode === null; round++) {
  await new Promise(resolve => setTimeout(resolve, 200))
  const response = await fetch('http://127.0.0.1:' + free + '/check').catch(() => undefined)
  if (response === undefined) continue
  answer = await response.text()
  break
}
server.kill()
console.log(answer)
process.exit(answer === 'fine' ? 0 : 1)
`
