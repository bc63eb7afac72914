import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const SOON = '* * * * * @policy(deadline=1h)'
const isRoot = process.getuid?.() === 0
const OPERATIONS = ['create', 'write', 'sync', 'rename', 'syncDirectory', 'appendDurably', 'remove'] as const
const CODES = ['ENOSPC', 'EIO', 'EROFS', 'EACCES'] as const
const CALLS = [1, 2, 3, 4, 5, 6]

test('every state write that fails ends the daemon with 2 or 4 and an ERROR, and no period ever runs twice', async t => {
  const faults = OPERATIONS.flatMap((operation, i) =>
    CALLS.map(call => ({ operation, call, code: CODES[(i + call) % CODES.length]! })),
  )
  const waiting = faults.values()
  let hit = 0
  const lane = async (): Promise<void> => {
    for (const fault of waiting) {
      const krond = new Krond(t, { speed: 60 })
      krond.write([krond.job(SOON, 'a')])
      const name = `${fault.operation} ${fault.call} ${fault.code}`
      await krond.start({ circumstances: { faults: [fault] } })
      const { code } = await krond.runUntil(4)
      if (code !== 0) {
        hit++
        assert.ok(code === 2 || code === 4, `${name}: exit ${code}\n${krond.transcript()}`)
        const error = krond.events('error').at(-1)
        assert.match(String(error?.['message']), new RegExp(fault.code), name)
      }
      const runs = krond.ran().length
      await krond.start()
      await krond.eventually(() => krond.ran().length > runs, `${name}: the next daemon to run a period`)
      await krond.stop()
      const ran = krond.ran()
      assert.equal(new Set(ran).size, ran.length, name)
      krond.discard()
    }
  }
  await Promise.all([lane(), lane()])
  t.diagnostic(`${hit} of ${faults.length} faults were met`)
  assert.ok(hit > faults.length / 2)
})

test('a read-only file system: exit 2, nothing is scheduled', async t => {
  if (!isRoot) return t.diagnostic('mounting needs root; the same is shown with injected faults')
  const krond = new Krond(t, { speed: 30 })
  mkdirSync(krond.stateDir, { mode: 0o700 })
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,mode=0700', 'tmpfs', krond.stateDir])
  if (mounted.status !== 0) return t.diagnostic(`cannot mount: ${mounted.stderr}`)
  krond.beforeRemoval = () => spawnSync('umount', [krond.stateDir])
  krond.write([krond.job(SOON, 'a')])
  await krond.start()
  assert.equal((await krond.exit).code, 2)
  assert.deepEqual(krond.ran(), [])
})

test('a limit on processes: forks are refused, tried again, and nothing runs twice', async t => {
  if (!isRoot) return t.diagnostic('a user of its own needs root; the same is shown by a seam')
  const krond = new Krond(t, { speed: 10 })
  krond.write(
    Array.from({ length: 20 }, (_, i) => krond.job(SOON, `job-${i}`, `${krond.says}; exec sleep 5`)),
  )
  writeFileSync(`${krond.directory}/ran`, '', { mode: 0o666 })
  krond.giveTo(UNUSED_UID)
  await krond.start({ uid: UNUSED_UID, processes: 24 })
  await krond.eventually(() => krond.ran().length >= 20, 'twenty executions')
  await krond.stop()
  const refused = krond
    .events('error')
    .filter(line => /limit on the number of processes/.test(String(line['message'])))
  t.diagnostic(`${refused.length} forks were refused`)
  assert.ok(refused.length > 0)
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length)
})

test('a limit on descriptors: whatever cannot be started or recorded for want of one, nothing runs twice', async t => {
  const krond = new Krond(t, { speed: 10 })
  const output = (i: number): string => `stdout=file:${krond.directory}/out-${i}`
  krond.write(
    Array.from({ length: 40 }, (_, i) => krond.job(SOON, `job-${i}`, `${krond.says}; sleep 1`, output(i))),
  )
  await krond.start({ descriptors: 48 })
  await krond.runUntil(60)
  const { code } = await krond.exit
  assert.ok(code === 0 || code === 4, `exit ${code}\n${krond.transcript()}`)
  const wanting = krond.events('error').filter(line => /EMFILE/.test(String(line['message'])))
  t.diagnostic(`exit ${code}, ${wanting.length} errors for want of a descriptor`)
  const runs = krond.ran().length
  await krond.start()
  await krond.eventually(() => krond.ran().length > runs, 'the next daemon to run a period')
  assert.equal((await krond.stop()).code, 0)
  const ran = krond.ran()
  assert.equal(new Set(ran).size, ran.length)
})

/** A user without a name, so that what else runs on the machine does not count. */
const UNUSED_UID = 61_900
