import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { claimNumbers, claimPath } from './claim.ts'
import { DirectoryLock } from './directory-lock.ts'
import { LockHeldError } from './lock-held.ts'

const root = mkdtempSync(join(tmpdir(), 'kron-lock-'))
after(() => rmSync(root, { recursive: true }))

const MODULE = JSON.stringify(new URL('./directory-lock.ts', import.meta.url).href)
const HOLD = `
  import { DirectoryLock } from ${MODULE}
  globalThis.lock = await DirectoryLock.acquire(process.env.LOCK)
  process.stdout.write('locked')
  setInterval(() => {}, 1000)
`
/** Takes the lock as often as it can for a while, and leaves a mark while it has it. */
const FIGHT = `
  import { DirectoryLock } from ${MODULE}
  import { mkdirSync, rmdirSync } from 'node:fs'
  const mark = process.env.LOCK + '-mark'
  let taken = 0
  for (const end = Date.now() + 1500; Date.now() < end; ) {
    try {
      const lock = await DirectoryLock.acquire(process.env.LOCK)
      mkdirSync(mark)
      taken++
      await new Promise(resolve => setTimeout(resolve, Math.random() * 5))
      if (taken % 7 === 6) { rmdirSync(mark); break }
      rmdirSync(mark)
      lock.release()
    } catch (error) {
      if (!/is locked by/.test(error.message)) { console.log(error); process.exit(1) }
    }
  }
  console.log(taken)
  process.exit(0)
`
const args = (program: string) => ['--conditions=kron-source', '--input-type=module', '-e', program]

function newPlace(name: string): string {
  const directory = join(root, name)
  mkdirSync(directory)
  return join(directory, 'lock')
}

async function hold(path: string) {
  const child = spawn(process.execPath, args(HOLD), {
    env: { ...process.env, LOCK: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

const isHeldBy = (pid: number | undefined) => (error: unknown) =>
  error instanceof LockHeldError && error.holder === pid && error.hint !== undefined

test('a second lock is refused, also in the same process and in a worker, and free again after a release', async () => {
  const path = newPlace('same')
  const lock = await DirectoryLock.acquire(path)
  await assert.rejects(DirectoryLock.acquire(path), isHeldBy(process.pid))
  const program = `
    const { parentPort } = require('node:worker_threads')
    import(${MODULE}).then(({ DirectoryLock }) => DirectoryLock.acquire(${JSON.stringify(path)}))
      .then(() => parentPort.postMessage('taken'), error => parentPort.postMessage(error.message))`
  const worker = new Worker(program, { eval: true })
  const [said] = await once(worker, 'message')
  assert.match(said, /is locked by process/)
  await worker.terminate()
  assert.equal(lock.loss(), undefined)
  lock.release()
  lock.release()
  const again = await DirectoryLock.acquire(path)
  again.release()
})

test('another process is refused while the holder lives, also when it is stopped, and not when it was killed', async () => {
  const path = newPlace('processes')
  const child = await hold(path)
  await assert.rejects(DirectoryLock.acquire(path), isHeldBy(child.pid))
  child.kill('SIGSTOP')
  await assert.rejects(DirectoryLock.acquire(path), isHeldBy(child.pid))
  child.kill('SIGKILL')
  await once(child, 'exit')
  const before = Date.now()
  const lock = await DirectoryLock.acquire(path)
  assert.ok(Date.now() - before < 5_000, 'the dead holder was not watched, but asked')
  lock.release()
})

test('of many processes that fight for it, and die with it, one at a time has it', async () => {
  const path = newPlace('fight')
  const fighters = Array.from({ length: 6 }, () =>
    spawn(process.execPath, args(FIGHT), {
      env: { ...process.env, LOCK: path },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const outputs = await Promise.all(
    fighters.map(async child => {
      let said = ''
      child.stdout.on('data', chunk => {
        said += String(chunk)
      })
      const [code] = await once(child, 'exit')
      assert.equal(code, 0, said)
      return Number(said)
    }),
  )
  assert.ok(outputs.reduce((sum, each) => sum + each, 0) > 10, outputs.join())
  // Old claims are cleared away, and the newest stays.
  assert.ok(claimNumbers(path).length <= 9, readdirSync(path).join())
  const sockets = readdirSync(path).filter(name => name.endsWith('.sock'))
  assert.ok(sockets.length <= 6, sockets.join())
})

/** Tries to take the lock where this process's name for it cannot be seen; says what came of it. */
async function tryElsewhere(path: string): Promise<string> {
  const program = `
    import { DirectoryLock } from ${MODULE}
    const lock = await DirectoryLock.acquire(process.env.LOCK, { watchMs: 900 }).catch(error => error)
    console.log(lock.message ?? 'taken')
    lock.release?.()`
  const child = spawn('unshare', ['-rn', process.execPath, ...args(program)], {
    env: { ...process.env, LOCK: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += String(chunk)
    })
  await once(child, 'exit')
  return said
}

test('a holder that cannot be asked is watched: one that touches its claim keeps the lock, one that does not loses it', async t => {
  const path = newPlace('elsewhere')
  const lock = await DirectoryLock.acquire(path, { beatMs: 50 })
  const claim = claimPath(path, claimNumbers(path).at(-1)!)
  // As if the holder were on another machine.
  const written = JSON.parse(readFileSync(claim, 'utf8'))
  writeFileSync(claim, JSON.stringify({ ...written, machine: 'another', pid: 7 }))
  const said = await tryElsewhere(path)
  if (said.startsWith('unshare')) t.diagnostic('no network namespaces here')
  else assert.match(said, /is locked by process 7 on /)
  lock.release()
  writeFileSync(claim, JSON.stringify({ ...written, machine: 'another' }))
  const next = await DirectoryLock.acquire(path, { watchMs: 300 })
  assert.equal(next.loss(), undefined)
  next.release()
})

test('a holder notices that it was taken over, and that its directory is gone or another one', async () => {
  const path = newPlace('loss')
  const lock = await DirectoryLock.acquire(path)
  const number = claimNumbers(path).at(-1)!
  writeFileSync(claimPath(path, number + 1), '{}')
  assert.equal(lock.loss(), 'superseded')
  rmSync(claimPath(path, number + 1))
  assert.equal(lock.loss(), undefined)
  rmSync(path, { recursive: true })
  assert.equal(lock.loss(), 'replaced')
  rmSync(join(path, '..'), { recursive: true })
  assert.equal(lock.loss(), 'vanished')
  mkdirSync(join(path, '..'))
  await lock.restore()
  assert.equal(lock.loss(), undefined)
  lock.release()
})

test('a path too long for a socket is locked all the same', async () => {
  const path = newPlace('long-'.repeat(30))
  const lock = await DirectoryLock.acquire(path)
  const claim = JSON.parse(readFileSync(claimPath(path, 1), 'utf8'))
  assert.ok(claim.beacon.startsWith(tmpdir()), claim.beacon)
  await assert.rejects(DirectoryLock.acquire(path), LockHeldError)
  lock.release()
})

test('an older version that holds flock(2) on a file is respected, and cannot start beside this one', async t => {
  if (process.platform !== 'linux') return t.skip('only Linux tells who holds flock(2)')
  const path = newPlace('old')
  const child = spawn('flock', ['-n', path, 'sleep', '60'], { stdio: 'ignore', detached: true })
  const isLocked = (): boolean => {
    const inode = statSync(path, { throwIfNoEntry: false })?.ino
    return inode !== undefined && readFileSync('/proc/locks', 'utf8').includes(`:${inode} `)
  }
  while (!isLocked()) await new Promise(resolve => setTimeout(resolve, 10))
  // The first versions write their PID into the file.
  const inode = statSync(path).ino
  const pid = Number(
    new RegExp(`FLOCK\\s+\\S+\\s+\\S+\\s+(\\d+)\\s+\\S+:${inode} `).exec(
      readFileSync('/proc/locks', 'utf8'),
    )?.[1],
  )
  writeFileSync(path, `${pid}\n`)
  await assert.rejects(DirectoryLock.acquire(path), /is locked by process \d+, of an older version/)
  process.kill(-child.pid!, 'SIGKILL')
  await once(child, 'exit')
  // The child of flock holds the lock, too, and may end later.
  while (isLocked()) await new Promise(resolve => setTimeout(resolve, 10))
  const lock = await DirectoryLock.acquire(path)
  assert.ok(statSync(path).isDirectory())
  assert.notEqual(
    spawnSync('sh', ['-c', 'exec 9<>"$0"', path]).status,
    0,
    'the old way to open the lock fails',
  )
  lock.release()
})

test('where the lock cannot be made, the message says why', async () => {
  const path = newPlace('file')
  mkdirSync(path)
  writeFileSync(join(path, 'claim-0000000001'), '')
  rmSync(path, { recursive: true })
  writeFileSync(join(root, 'not-a-directory'), '')
  await assert.rejects(DirectoryLock.acquire(join(root, 'not-a-directory/store/lock')), {
    name: 'PersistenceError',
    message: /cannot take the lock .*ENOTDIR|cannot take the lock .*ENOENT/,
    hint: 'the process needs permission to write to the directory',
  })
})
