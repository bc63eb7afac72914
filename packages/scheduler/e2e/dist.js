// Tests the built package on the running version of Node: `node packages/scheduler/e2e/dist.js`, after `npm run build`.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileStore, makeScheduler, memoryStore, virtualClock } from '../dist/index.js'

const HOUR = 3_600_000
const logger = { debug() {}, info() {}, warn() {}, error() {} }

async function aDayOnTheVirtualClock() {
  const clock = virtualClock('2026-10-24T12:30:00Z', 'Europe/Paris')
  const starts = []
  const scheduler = makeScheduler({ store: memoryStore(), clock, logger })
  await scheduler.initialize([['nightly', '30 2 * * *', () => starts.push(clock.now()), '5m']])
  await clock.run(24 * HOUR)
  await scheduler.stop()
  assert.equal(starts.length, 2)
}

/** Advances the virtual clock until the promise settles, because file operations take real time. */
async function runUntil(clock, promise) {
  let settled = false
  promise.finally(() => {
    settled = true
  })
  while (!settled) await clock.run(1)
  await promise
}

async function aRestartOnTheFileStore() {
  const directory = mkdtempSync(join(tmpdir(), 'kron-dist-'))
  try {
    const clock = virtualClock('2026-06-10T12:30:00Z')
    let starts = 0
    for (let missed = 0; missed < 3; missed++) {
      const scheduler = makeScheduler({ store: fileStore(directory), clock, logger })
      await scheduler.initialize([['hourly', '0 * * * *', async () => starts++, 0]])
      while (starts < missed) await clock.run(1)
      await runUntil(clock, scheduler.stop())
      assert.equal(starts, missed)
      clock.jump(5 * HOUR)
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function stopInsideACallback() {
  let refused
  const scheduler = makeScheduler({ store: memoryStore(), logger })
  const ended = new Promise(resolve => {
    const work = async () => {
      await new Promise(wait => setTimeout(wait, 5))
      refused = await scheduler.stop().catch(error => error)
      resolve()
    }
    scheduler.initialize([['self', '* * * * *', work, 0]])
  })
  await ended
  assert.equal(refused.name, 'SchedulerStopInCallbackError')
  await scheduler.stop()
}

function requireOfTheModule() {
  if (!process.features.require_module) return
  const loaded = createRequire(import.meta.url)('../dist/index.js')
  assert.equal(loaded.makeScheduler, makeScheduler)
}

await aDayOnTheVirtualClock()
await aRestartOnTheFileStore()
await stopInsideACallback()
requireOfTheModule()
console.log(`@kron/scheduler works on Node ${process.version}`)
