import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemdNotifier } from './sd-notify.ts'

test('every state is a message of its own', () => {
  const sent: string[] = []
  const notifier = systemdNotifier(text => sent.push(text), { NOTIFY_SOCKET: '/run/x' })
  const before = process.hrtime.bigint() / 1000n
  notifier.ready()
  notifier.reloading()
  notifier.status('3 jobs\nnext at noon')
  notifier.alive()
  notifier.stopping()
  const [ready, reloading, ...rest] = sent
  assert.equal(ready, 'READY=1')
  const [, moment] = /^RELOADING=1\nMONOTONIC_USEC=(\d+)$/.exec(reloading ?? '') ?? []
  assert.ok(BigInt(moment!) >= before && BigInt(moment!) <= process.hrtime.bigint() / 1000n)
  assert.deepEqual(rest, ['STATUS=3 jobs next at noon', 'WATCHDOG=1', 'STOPPING=1'])
})

test('the watchdog asks this process only', () => {
  const interval = (environment: NodeJS.ProcessEnv) =>
    systemdNotifier(() => {}, { NOTIFY_SOCKET: '/run/x', ...environment }).watchdogIntervalMs
  assert.equal(interval({}), undefined)
  assert.equal(interval({ WATCHDOG_USEC: '30000000' }), 30_000)
  assert.equal(interval({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid) }), 30_000)
  assert.equal(interval({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '1' }), undefined)
  assert.equal(interval({ WATCHDOG_USEC: 'soon' }), undefined)
  assert.equal(systemdNotifier(() => {}, { WATCHDOG_USEC: '30000000' }).watchdogIntervalMs, undefined)
})
