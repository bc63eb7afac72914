import assert from 'node:assert/strict'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { type TestContext, test } from 'node:test'
import { type Event, fieldOf } from '../log/event.ts'
import { Presence } from './presence.ts'

const quiet = (): void => {}
const isRoot = process.getuid?.() === 0

function place(t: TestContext) {
  const directory = mkdtempSync(`${tmpdir()}/kron-pid-`)
  t.after(() => rmSync(directory, { recursive: true }))
  const events: Event[] = []
  const pidFile = `${directory}/krond.pid`
  const presence = new Presence({
    options: { pidFile },
    emit: event => events.push(event),
    notifier: {
      ready: quiet,
      reloading: quiet,
      stopping: quiet,
      status: quiet,
      alive: quiet,
      watchdogIntervalMs: undefined,
    },
  })
  t.after(() => presence.withdraw())
  return { directory, pidFile, events, publish: () => presence.publish(), presence }
}

test('a link in the place of the PID file is not followed, and its target stays as it is', async t => {
  const { directory, pidFile, events, publish, presence } = place(t)
  const victim = `${directory}/victim`
  writeFileSync(victim, 'precious\n')
  symlinkSync(victim, pidFile)
  await publish()
  assert.equal(readFileSync(victim, 'utf8'), 'precious\n')
  assert.deepEqual(
    events.map(each => [each.level, fieldOf(each, 'operation')]),
    [['warn', 'write the PID file']],
  )
  assert.match(String(fieldOf(events[0]!, 'message')), /krond\.pid is a symbolic link.* was left alone/)
  presence.withdraw()
  assert.ok(lstatSync(pidFile).isSymbolicLink(), 'nor is the link removed')
})

test('a file that is no PID file is not replaced, nor removed at the end', async t => {
  const { pidFile, events, publish, presence } = place(t)
  writeFileSync(pidFile, 'some notes\n')
  await publish()
  presence.withdraw()
  assert.equal(readFileSync(pidFile, 'utf8'), 'some notes\n')
  assert.match(String(fieldOf(events[0]!, 'message')), /does not hold a PID/)
})

test('a directory in the place of the PID file is left alone', async t => {
  const { pidFile, events, publish } = place(t)
  mkdirSync(pidFile)
  await publish()
  assert.match(String(fieldOf(events[0]!, 'message')), /is not a regular file/)
})

test("another user's file is left alone", {
  skip: isRoot ? false : 'only root can give a file away',
}, async t => {
  const { pidFile, events, publish, presence } = place(t)
  writeFileSync(pidFile, '1\n')
  chownSync(pidFile, 65_534, 65_534)
  await publish()
  presence.withdraw()
  assert.equal(readFileSync(pidFile, 'utf8'), '1\n')
  assert.match(String(fieldOf(events[0]!, 'message')), /belongs to user 65534/)
})

test('the PID file of a daemon that died is replaced, and the own one is removed at the end', async t => {
  const { directory, pidFile, events, publish, presence } = place(t)
  writeFileSync(pidFile, '4711\n', { mode: 0o600 })
  await publish()
  assert.deepEqual(events, [])
  assert.equal(readFileSync(pidFile, 'utf8'), `${process.pid}\n`)
  assert.equal(statSync(pidFile).mode & 0o777, 0o644)
  presence.withdraw()
  assert.equal(existsSync(pidFile), false)
  assert.deepEqual(readdirSync(directory), [], 'nothing is left beside it')
})

test('the PID file of another daemon is not removed at the end', async t => {
  const { pidFile, publish, presence } = place(t)
  await publish()
  writeFileSync(pidFile, '4711\n')
  presence.withdraw()
  assert.equal(readFileSync(pidFile, 'utf8'), '4711\n')
})
