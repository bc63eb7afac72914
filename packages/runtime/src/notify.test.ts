import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { closeDescriptor, native } from './native/native.ts'
import { systemdNotifier } from './notify.ts'

const socket = native<[number, number, number], number>('int socket(int domain, int type, int protocol)')
const bind = native<[number, Buffer, number], number>(
  'int bind(int fd, const void *address, unsigned int size)',
)
const recv = native<[number, Buffer, number, number], number>(
  'long recv(int fd, void *into, size_t size, int flags)',
)
const root = mkdtempSync(join(tmpdir(), 'kron-notify-'))
after(() => rmSync(root, { recursive: true }))

/** A datagram socket such as systemd's, and what has arrived at it. */
function listenAt(name: Buffer) {
  const fd = socket(1, 2, 0)
  const address = Buffer.concat([Buffer.from([1, 0]), name])
  assert.equal(bind(fd, address, address.length), 0)
  const received = (): string[] => {
    const texts: string[] = []
    const into = Buffer.alloc(4096)
    for (;;) {
      const length = recv(fd, into, into.length, 0x40)
      if (length < 0) return texts
      texts.push(into.toString('utf8', 0, length))
    }
  }
  return { received, close: () => closeDescriptor(fd) }
}

for (const [kind, path, name] of [
  ['a path', `${root}/socket`, Buffer.from(`${root}/socket\0`)],
  ['an abstract name', `@kron-${process.pid}`, Buffer.from(`\0kron-${process.pid}`)],
] as const) {
  test(`states arrive at ${kind}, each in a datagram of its own`, () => {
    const systemd = listenAt(name)
    const notifier = systemdNotifier({ NOTIFY_SOCKET: path })
    const before = process.hrtime.bigint() / 1000n
    notifier.ready()
    notifier.reloading()
    notifier.status('3 jobs\nnext at noon')
    notifier.alive()
    notifier.stopping()
    const [ready, reloading, ...rest] = systemd.received()
    systemd.close()
    assert.equal(ready, 'READY=1')
    const [, moment] = /^RELOADING=1\nMONOTONIC_USEC=(\d+)$/.exec(reloading ?? '') ?? []
    assert.ok(BigInt(moment!) >= before && BigInt(moment!) <= process.hrtime.bigint() / 1000n)
    assert.deepEqual(rest, ['STATUS=3 jobs next at noon', 'WATCHDOG=1', 'STOPPING=1'])
  })
}

test('without systemd, or when nobody listens, nothing happens', () => {
  for (const environment of [
    {},
    { NOTIFY_SOCKET: `${root}/nobody` },
    { NOTIFY_SOCKET: `/${'x'.repeat(200)}` },
  ]) {
    const notifier = systemdNotifier(environment)
    notifier.ready()
    notifier.stopping()
  }
})

test('the watchdog asks this process only', () => {
  const interval = (environment: NodeJS.ProcessEnv) =>
    systemdNotifier({ NOTIFY_SOCKET: '/run/x', ...environment }).watchdogInterval
  assert.equal(interval({}), undefined)
  assert.equal(interval({ WATCHDOG_USEC: '30000000' }), 30_000)
  assert.equal(interval({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid) }), 30_000)
  assert.equal(interval({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '1' }), undefined)
  assert.equal(interval({ WATCHDOG_USEC: 'soon' }), undefined)
  assert.equal(systemdNotifier({ WATCHDOG_USEC: '30000000' }).watchdogInterval, undefined)
})
