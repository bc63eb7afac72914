import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { listener, names, put, record } from '../file/file-store.test-support.ts'
import { sqliteStore } from './sqlite-store.ts'

const root = mkdtempSync(join(tmpdir(), 'kron-sqlite-'))
after(() => rmSync(root, { recursive: true }))
let count = 0
const newPath = () => join(root, `deep-${++count}`, 'tasks.db')

async function fileOf(...tasks: string[]): Promise<string> {
  const path = newPath()
  const store = sqliteStore(path)
  await store.load()
  for (const name of tasks) await store.commit(put(record(name)))
  await store.close()
  return path
}

const damagedCopies = (path: string) =>
  readdirSync(join(path, '..')).filter(name => /^tasks\.db\.damaged-[\dTZ.-]+$/.test(name))

test('what was committed is there after a restart, whatever the names are', async () => {
  const path = newPath()
  const store = sqliteStore(path)
  assert.deepEqual(await store.load(), [])
  await store.commit(put(record('a'), record('b')))
  await store.commit({ put: [record('a', 2), record('ü"\n\ud800\0')], remove: ['b'] })
  await store.close()
  const again = await store.load()
  assert.deepEqual(names(again), names([record('a'), record('ü"\n\ud800\0')]))
  assert.equal(again.find(({ name }) => name === 'a')?.lastAttemptAt, 2)
  await store.close()
  await assert.rejects(store.commit(put(record('c'))), /is not open/)
})

test('the file is for one store at a time, in this process and in another', async () => {
  const path = newPath()
  const store = sqliteStore(path)
  await store.load()
  await assert.rejects(sqliteStore(path).load(), /is locked by process \d+/)
  const program = `
    import { sqliteStore } from ${JSON.stringify(new URL('./sqlite-store.ts', import.meta.url).href)}
    await sqliteStore(${JSON.stringify(path)}).load().then(() => console.log('taken'), error => console.log(error.message))`
  const child = spawn(process.execPath, [
    '--conditions=kron-source',
    '--no-warnings',
    '--input-type=module',
    '-e',
    program,
  ])
  const [said] = await once(child.stdout, 'data')
  assert.match(String(said), /is locked by another process/)
  await store.close()
  await sqliteStore(path).load()
})

test('whenever the process is killed, what was confirmed is there, whole', async () => {
  const path = newPath()
  const program = `
    import { sqliteStore } from ${JSON.stringify(new URL('./sqlite-store.ts', import.meta.url).href)}
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
    const child = spawn(process.execPath, [
      '--conditions=kron-source',
      '--no-warnings',
      '--input-type=module',
      '-e',
      program,
    ])
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

test('a spoiled row, page or header is reported and set aside, and the rest goes on', async () => {
  const many = Array.from({ length: 400 }, (_, index) => `task-${index}`)
  const path = await fileOf()
  const store = sqliteStore(path)
  await store.load()
  await store.commit(put(...many.map(name => record(name))))
  await store.close()
  const sound = readFileSync(path)
  const spoil = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(sound)
    change(bytes)
    return bytes
  }
  const cases: [string, Buffer, number][] = [
    [
      'a row',
      Buffer.from(sound.toString('latin1').replaceAll('"name":"task-77"', '"name":"task-7X"'), 'latin1'),
      399,
    ],
    ['a page', spoil(bytes => bytes.fill(0xaa, bytes.length - 4096)), 0],
    ['the header', spoil(bytes => bytes.fill(0, 0, 16)), 0],
    ['the end', sound.subarray(0, sound.length - 5000), 0],
  ]
  for (const [what, bytes, least] of cases) {
    writeFileSync(path, bytes)
    const copies = damagedCopies(path).length
    const { session, damages } = listener()
    const found = await store.load(session)
    assert.ok(found.length >= least && found.length < 400, `${what}: ${found.length}`)
    assert.equal(damages.length, 1, what)
    assert.equal(damagedCopies(path).length, copies + 1, what)
    await store.commit(put(record('next')))
    await store.close()
    const again = listener()
    assert.equal((await store.load(again.session)).length, found.length + 1, what)
    assert.deepEqual(again.damages, [])
    await store.close()
  }
})

test('a file of another program or a newer version is refused and left alone', async () => {
  const { DatabaseSync } = await import('node:sqlite')
  const other = await fileOf()
  const foreign = new DatabaseSync(other)
  foreign.exec('PRAGMA application_id = 7')
  foreign.close()
  const newer = await fileOf('a')
  const later = new DatabaseSync(newer)
  later.exec('PRAGMA user_version = 2')
  later.close()
  const text = newPath()
  await fileOf()
  const { mkdirSync } = await import('node:fs')
  mkdirSync(join(text, '..'), { recursive: true })
  writeFileSync(text, 'a diary of somebody else, long enough to be read as a header of a database'.repeat(20))
  for (const [path, message] of [
    [other, /database of another program/],
    [newer, /version 2/],
    [text, /not a database/],
  ] as const) {
    const before = readFileSync(path)
    await assert.rejects(sqliteStore(path).load(), message)
    assert.deepEqual(readFileSync(path), before)
    assert.deepEqual(damagedCopies(path), [])
  }
})

test('a file that vanishes is an error event and made again with everything in it', async () => {
  const path = newPath()
  const { session, errors } = listener()
  const store = sqliteStore(path)
  await store.load(session)
  await store.commit(put(record('a')))
  rmSync(join(path, '..'), { recursive: true })
  await store.commit(put(record('b')))
  await store.close()
  assert.deepEqual(errors, ['find the store'])
  assert.ok(existsSync(path))
  assert.deepEqual(names(await store.load()), ['a', 'b'])
  await store.close()
})
