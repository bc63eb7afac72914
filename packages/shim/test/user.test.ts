import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { alive, isRoot, Place, Serve } from './driver.ts'

const { errno } = constants
let place: Place
let serve: Serve
let open: string // a directory every user may enter

before(async () => {
  place = new Place()
  open = mkdtempSync(join(tmpdir(), 'kron-shim-open-'))
  chmodSync(open, 0o777)
  serve = new Serve(place)
  await serve.ready()
})
after(async () => {
  await serve.close()
  execFileSync('rm', ['-rf', open])
  place.remove()
})

const uid = 54321
const identity = { uid, gid: 54322, groups: '54324,54323' }

test('a user job has all ids, no capability and no key of the daemon', {
  skip: !isRoot && 'needs root',
}, async () => {
  const look = 'grep -E "^(Uid|Gid|Groups|Cap)" /proc/self/status; cat /proc/keys; echo x > /dev/stderr'
  const run = serve.start({ arg: ['sh', '-c', look], ...identity })
  assert.equal((await run.ended()).exit, 0, 'it may open its own /dev/stderr')
  const text = run.log('out').text
  assert.match(text, /Uid:\t54321\t54321\t54321\t54321\n/)
  assert.match(text, /Gid:\t54322\t54322\t54322\t54322\n/)
  assert.match(text, /Groups:\t54323 54324 ?\n/)
  for (const set of ['Inh', 'Prm', 'Eff', 'Amb']) assert.match(text, new RegExp(`Cap${set}:\\t0+\\n`))
  assert.equal(
    text.split('\n').filter(line => line.includes('keyring') && line.includes('_ses')).length <= 1,
    true,
  )
})

test('a user job without groups has none', { skip: !isRoot && 'needs root' }, async () => {
  const run = serve.start({ arg: ['grep', 'Groups', '/proc/self/status'], uid, gid: uid })
  await run.ended()
  assert.match(run.log('out').text, /^Groups:\t ?\n$/)
})

test('a user job cannot reach claims, runs, its shim or the daemon', {
  skip: !isRoot && 'needs root',
}, async () => {
  const attack = [
    `ls ${place.claims}`,
    `ls ${place.runs}`,
    'ls -l /proc/$PPID/fd/',
    'cat /proc/$PPID/environ',
    'kill -9 $PPID',
    `kill -9 ${serve.process.pid}`,
    `cat /proc/${serve.process.pid}/mem`,
    ...[3, 4, 5, 6, 7, 8, 9].map(fd => `echo x > /proc/$PPID/fd/${fd}`),
  ]
  const lines = attack.map((line, index) => `(${line}) 2>/dev/null && echo broken ${index}`).join('\n')
  const run = serve.start({ arg: ['sh', '-c', `${lines}\necho done`], ...identity })
  const { shim } = await run.started()
  assert.equal((await run.ended()).why, 'exited')
  assert.equal(run.log('out').text, 'done\n')
  assert.ok(shim > 0 && alive(serve.process.pid!))
})

test('the working directory is entered as the user', { skip: !isRoot && 'needs root' }, async () => {
  const secret = join(open, 'secret')
  mkdirSync(secret, { mode: 0o700 })
  const run = serve.start({ arg: 'true', cwd: secret, ...identity })
  assert.deepEqual(await run.refused(), { stage: 'cwd', errno: errno.EACCES, detail: secret })
})

test('output files are opened as the user, with the umask', { skip: !isRoot && 'needs root' }, async () => {
  const denied = serve.start({ arg: 'true', stdout: `file:${place.root}/denied`, ...identity })
  assert.deepEqual(await denied.refused(), {
    stage: 'stdout',
    errno: errno.EACCES,
    detail: `${place.root}/denied`,
  })
  const file = join(open, 'user-output')
  const run = serve.start({ arg: ['echo', 'mine'], stdout: `file:${file}`, umask: '077', ...identity })
  await run.ended()
  assert.equal(execFileSync('stat', ['-c', '%u %g %a', file], { encoding: 'utf8' }), '54321 54322 600\n')
  assert.equal(readFileSync(file, 'utf8'), 'mine\n')
})

test('a user over nproc is refused at exec', { skip: !isRoot && 'needs root' }, async () => {
  const id = { uid: 54399, gid: 54399 }
  const others = [1, 2].map(() => serve.start({ arg: ['sleep', '60'], ...id }))
  for (const other of others) await other.started()
  const refused = await serve.start({ arg: 'true', nproc: 1, ...id }).refused()
  assert.deepEqual([refused.stage, refused.errno], ['exec', errno.EAGAIN])
  for (const other of others) {
    other.end('stopped', 'now')
    assert.equal((await other.ended()).signal, 9)
  }
})
