import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { Notifier } from '@kron/runtime'
import { askStatus } from './control.ts'
import type { Event } from './event.ts'
import { Presence } from './presence.ts'
import type { Status } from './status.ts'

const STATUS: Status = {
  pid: 1,
  startedAt: '2026-03-01T00:00:00Z',
  jobs: 3,
  suspended: 0,
  running: [],
  queue: [],
  next: [],
  refusedFiles: [],
  listener: null,
  startsStopped: null,
}

function recording(said: string[]): Notifier {
  return {
    ready: () => said.push('ready'),
    reloading: () => said.push('reloading'),
    stopping: () => said.push('stopping'),
    status: text => said.push(text),
    alive: () => said.push('alive'),
    watchdogInterval: 20,
  }
}

test('the service manager is told of every change, and hears regularly that the daemon is alive', async t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-presence-`)
  t.after(() => rmSync(directory, { recursive: true }))
  const said: string[] = []
  const options = { pidFile: `${directory}/pid`, stateDir: directory }
  const presence = new Presence({ options, emit: () => {}, notifier: recording(said) })
  presence.loading(3, 0)
  presence.loading(3, 2)
  await presence.announce(() => STATUS)
  presence.ready(3, 1)
  presence.reloading()
  presence.stopping()
  assert.deepEqual(
    said.filter(each => each !== 'alive'),
    ['loading 3 jobs', 'loaded 2 of 3 jobs', 'ready', '3 jobs, 1 running', 'reloading', 'stopping'],
  )
  while (!said.includes('alive')) await new Promise(resolve => setTimeout(resolve, 5))
  assert.equal(readFileSync(options.pidFile, 'utf8'), `${process.pid}\n`)
  assert.deepEqual(await askStatus(directory), STATUS)
  presence.withdraw()
  assert.equal(existsSync(options.pidFile), false)
  assert.equal(await askStatus(directory), undefined)
})

test('a PID file that cannot be written is a warning, and the status is offered all the same', async t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-presence-`)
  t.after(() => rmSync(directory, { recursive: true }))
  const events: Event[] = []
  const presence = new Presence({
    options: { pidFile: `${directory}/no/such/pid`, stateDir: directory },
    emit: event => events.push(event),
    notifier: undefined,
  })
  await presence.announce(() => STATUS)
  assert.deepEqual(
    events.map(each => [each.level, each['operation']]),
    [['warn', 'write the PID file']],
  )
  assert.deepEqual(await askStatus(directory), STATUS)
  presence.withdraw()
})
