import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { type Event, fieldOf } from '../log/event.ts'
import { Presence } from './presence.ts'
import type { Notifier } from './sd-notify.ts'

function recording(said: string[]): Notifier {
  return {
    ready: () => said.push('ready'),
    reloading: () => said.push('reloading'),
    stopping: () => said.push('stopping'),
    status: text => said.push(text),
    alive: () => said.push('alive'),
    watchdogIntervalMs: 20,
  }
}

test('the service manager is told of every change, and hears regularly that the daemon is alive', async t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-presence-`)
  t.after(() => rmSync(directory, { recursive: true }))
  const said: string[] = []
  const options = { pidFile: `${directory}/pid` }
  const presence = new Presence({ options, emit: () => {}, notifier: recording(said) })
  presence.loading(3, 0)
  presence.loading(3, 2)
  presence.publish()
  presence.ready(3, 1)
  presence.reloading()
  presence.stopping()
  assert.deepEqual(
    said.filter(each => each !== 'alive'),
    ['loading 3 jobs', 'loaded 2 of 3 jobs', 'ready', '3 jobs, 1 running', 'reloading', 'stopping'],
  )
  while (!said.includes('alive')) await new Promise(resolve => setTimeout(resolve, 5))
  assert.equal(readFileSync(options.pidFile, 'utf8'), `${process.pid}\n`)
  presence.withdraw()
  assert.equal(existsSync(options.pidFile), false)
})

test('a PID file that cannot be written is a warning', t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-presence-`)
  t.after(() => rmSync(directory, { recursive: true }))
  const events: Event[] = []
  const presence = new Presence({
    options: { pidFile: `${directory}/no/such/pid` },
    emit: event => events.push(event),
    notifier: recording([]),
  })
  presence.publish()
  assert.deepEqual(
    events.map(each => [each.level, fieldOf(each, 'operation')]),
    [['warn', 'write the PID file']],
  )
  presence.withdraw()
})
