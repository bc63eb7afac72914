import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { listener, names, put, record } from '@kron/testkit/scheduler/store/file/file-store'
import { CHILD_ARGS, CHILD_IMPORTS, newPath } from '@kron/testkit/scheduler/store/sqlite/sqlite-store'
import { sqliteStore } from './sqlite-store.ts'

test('whenever the process is killed, what was confirmed is there, whole', async () => {
  const path = newPath()
  const program = `
    ${CHILD_IMPORTS}
    const store = sqliteStore(${JSON.stringify(path)})
    const found = await store.load()
    let n = found[0]?.lastAttemptAt ?? 0
    for (;;) {
      n++
      const record = name => ({ name, cronExpression: '* * * * *', retryDelayMs: 0, firstSeenAt: 1, lastAttemptAt: n })
      await store.commit({ put: [record('a'), record('b')], remove: [] })
      process.stdout.write(n + '\\n')
    }`
  let confirmed = 0
  for (let life = 0; life < 8; life++) {
    const child = spawn(process.execPath, [...CHILD_ARGS, program])
    child.stdout.on('data', chunk => {
      confirmed = Number(String(chunk).trimEnd().split('\n').at(-1))
    })
    await once(child.stdout, 'data')
    await new Promise(resolve => setTimeout(resolve, 5 + life * 7))
    child.kill('SIGKILL')
    await once(child, 'close')
    const { session, damages } = listener()
    const store = sqliteStore(path)
    const found = await store.load(session)
    await store.close()
    assert.deepEqual(damages, [])
    assert.equal(found.length, 2)
    assert.equal(found[0]?.lastAttemptAt, found[1]?.lastAttemptAt, 'both or none')
    assert.ok(found[0]!.lastAttemptAt! >= confirmed, `${found[0]!.lastAttemptAt} < ${confirmed}`)
  }
  assert.ok(confirmed > 8)
})

test('wherever the power fails in the log, every commit that was confirmed before is there, and no half of one', async () => {
  const path = newPath()
  const store = sqliteStore(path)
  await store.load()
  const log = `${path}-wal`
  /** The length of the log when each commit was confirmed. The bytes up to there are on the disk. */
  const confirmed = [readFileSync(log).length]
  for (let commit = 1; commit <= 12; commit++) {
    await store.commit(put(record('a', commit), record('b', commit)))
    confirmed.push(readFileSync(log).length)
  }
  const [database, whole] = [readFileSync(path), readFileSync(log)]
  await store.close()
  const other = newPath()
  mkdirSync(dirname(other), { recursive: true })
  const survivor = sqliteStore(other)
  let cuts = 0
  for (let length = confirmed[0]!; length <= whole.length; length += 617) {
    writeFileSync(other, database)
    writeFileSync(`${other}-wal`, whole.subarray(0, length))
    const { session, damages } = listener()
    const found = await survivor.load(session)
    await survivor.close()
    assert.deepEqual(damages, [])
    const last = confirmed.findLastIndex(size => size <= length)
    assert.deepEqual(names(found), last === 0 ? [] : ['a', 'b'], `${length} bytes`)
    for (const each of found) assert.equal(each.lastAttemptAt, last, `${length} bytes`)
    cuts++
  }
  assert.ok(cuts > 50, `${cuts} cuts`)
})

test('a full disk refuses the commit and costs nothing that was confirmed; with room again the store goes on', () => {
  const path = newPath()
  // Limits the file size. The signal for that is ignored, so that the write fails as on a full disk.
  const program = `
    ${CHILD_IMPORTS}
    const store = sqliteStore(${JSON.stringify(path)})
    await store.load()
    const record = n => ({ name: 'task-' + n % 2000, cronExpression: '* * * * *', retryDelayMs: 0, firstSeenAt: 1, lastAttemptAt: n })
    let n = 0
    try { for (;;) { await store.commit({ put: [record(n)], remove: [] }); n++ } } catch (error) { console.log(n, error.message) }
    await store.commit({ put: [], remove: ['task-0'] }).catch(() => {})
    await store.close()`
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', `trap '' XFSZ; ulimit -f 96; exec "$@"`, 'bash', process.execPath, ...CHILD_ARGS, program],
    { encoding: 'utf8' },
  )
  const [, confirmed, message] = /^(\d+) (.*)/.exec(stdout) ?? assert.fail(stderr)
  assert.match(message!, /full|I\/O/)
  assert.ok(Number(confirmed) > 5, stdout)
  return reopened(path, Number(confirmed))
})

async function reopened(path: string, confirmed: number): Promise<void> {
  const { session, damages } = listener()
  const store = sqliteStore(path)
  const found = new Set(names(await store.load(session)))
  assert.deepEqual(damages, [])
  for (let n = 1; n < Math.min(confirmed, 2000); n++) assert.ok(found.has(`task-${n}`), `task-${n}`)
  await store.commit(put(record('next')))
  await store.close()
}
