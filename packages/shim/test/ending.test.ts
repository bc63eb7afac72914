import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { alive, closeAll, isRoot, Place, type Run, Serve, type Spec, until } from './driver.ts'

let place: Place
let serve: Serve
before(async () => {
  place = new Place()
  serve = new Serve(place)
  await serve.ready()
})
after(async () => {
  await closeAll()
  place.remove()
})

let work: string
let serial = 0
afterEach(() => {
  serial++
})

/** Starts a shell script in a directory of its own; it writes PIDs into the file `pids`. */
const shell = (on: Serve, script: string, spec: Spec = {}): Run => {
  work = mkdtempSync(join(place.root, `w${serial}-`))
  return on.start({ arg: ['sh', '-c', script], cwd: work, ...spec })
}
const pids = (count: number): Promise<number[]> => {
  const from = work
  return until(`${count} PIDs`, () => {
    if (!existsSync(join(from, 'pids'))) return undefined
    const found = readFileSync(join(from, 'pids'), 'utf8').trim().split('\n').map(Number)
    return found.length >= count && found
  })
}

const trees: [string, string, number][] = [
  ['one process', 'echo $$ >> pids; exec sleep 600', 1],
  ['a child', 'sleep 600 & echo $! >> pids; echo $$ >> pids; wait', 2],
  [
    'a daemon that forked twice and left the session',
    'echo $$ >> pids; (setsid sh -c "echo \\$\\$ >> pids; exec sleep 600" &) ; exec sleep 600',
    2,
  ],
  ['a stopped process', 'echo $$ >> pids; kill -STOP $$; sleep 600', 1],
  ['a process that ignores TERM', 'trap "" TERM; echo $$ >> pids; while :; do sleep 0.1; done', 1],
  [
    'a daemon that ignores TERM',
    '(trap "" TERM; setsid sh -c "echo \\$\\$ >> pids; while :; do sleep 0.1; done" &); echo $$ >> pids; sleep 600',
    2,
  ],
]

for (const [title, script, count] of trees)
  for (const how of ['grace', 'now'])
    test(`ending with ${how} leaves nobody: ${title}`, async () => {
      const run = shell(serve, script, { grace: 300 })
      await run.started()
      const members = await pids(count)
      run.end('replaced', how)
      const end = await run.ended()
      assert.equal(end.why, 'replaced')
      assert.equal(end.left, 0)
      if (how === 'now') assert.equal(end.signal, 9)
      for (const pid of members) assert.ok(!alive(pid), `${pid} is alive`)
    })

test('a process that ends itself on TERM is not killed', async () => {
  const run = shell(serve, 'trap "exit 5" TERM; echo $$ >> pids; while :; do sleep 0.05; done', {
    grace: 30_000,
  })
  await pids(1)
  run.end('stopped', 'grace')
  const end = await run.ended()
  assert.deepEqual([end.exit, end.why], [5, 'stopped'])
})

test('a second order, now, cuts the grace short', async () => {
  const run = shell(serve, 'trap "" TERM; echo $$ >> pids; while :; do sleep 0.05; done', { grace: 600_000 })
  await pids(1)
  run.end('stopped', 'grace')
  run.end('stopped', 'grace')
  run.end('stopped', 'now')
  const end = await run.ended()
  assert.deepEqual([end.signal, end.why], [9, 'stopped'])
})

test('SIGTERM to the shim from elsewhere is a request to end', async () => {
  const run = shell(serve, 'echo $$ >> pids; exec sleep 600')
  const { shim } = await run.started()
  process.kill(shim, 'SIGTERM')
  const end = await run.ended()
  assert.deepEqual([end.signal, end.why], [15, 'requested'])
})

test('SIGHUP, SIGINT and SIGPIPE to the shim do nothing', async () => {
  const run = shell(serve, 'echo $$ >> pids; sleep 0.3; exit 6')
  const { shim } = await run.started()
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE', 'SIGQUIT']) process.kill(shim, signal)
  assert.equal((await run.ended()).exit, 6)
})

test('the time limit ends the tree, also while no daemon lives', async () => {
  const other = new Place()
  const first = new Serve(other)
  await first.ready()
  const run = first.start({ arg: ['sh', '-c', 'sleep 600 & sleep 600'], timeout: 400, grace: 5_000 })
  const { shim, pid } = await run.started()
  await first.close()
  await until('the shim to end', () => !alive(shim))
  assert.ok(!alive(pid))
  const second = new Serve(other)
  const end = await second.follow(run.claim).ended()
  assert.equal(end.why, 'timeout')
  assert.equal(end.signal, 15)
  await second.close()
  other.remove()
})

test('a command that ends by itself is reported at once, though descendants stay; their output is still kept', async () => {
  const run = shell(serve, '(sleep 0.6; echo late) & echo early; exit 2')
  const { shim } = await run.started()
  const end = await run.ended()
  assert.deepEqual([end.exit, end.why, end.out], [2, 'exited', 6])
  assert.ok(alive(shim), 'the shim stays while somebody holds the output')
  await until('the shim to end', () => !alive(shim))
  assert.equal(run.kept().head.toString(), 'early\nlate\n')
  assert.equal(run.log('out').text, 'early\nlate\n')
})

test('a descendant without the output pipes does not hold the shim', async () => {
  const run = shell(serve, 'sleep 600 >/dev/null 2>&1 & echo $! >> pids; exit 0')
  const { shim } = await run.started()
  await run.ended()
  await until('the shim to end', () => !alive(shim))
  const [left] = await pids(1)
  assert.ok(alive(left!))
  process.kill(left!, 'SIGKILL')
})

test('a fork storm within nproc ends', { skip: !isRoot && 'needs root' }, async () => {
  const bomb =
    'bomb() { bomb | bomb & }; for i in 1 2 3; do (setsid sh -c "f() { f | f & }; f" &); done; bomb; sleep 600'
  work = place.root
  const run = serve.start({
    arg: ['sh', '-c', bomb],
    uid: 54400,
    gid: 54400,
    nproc: 60,
    grace: 100,
    keep: 4096,
    stderr: 'discard',
  })
  await run.started()
  await new Promise(resolve => setTimeout(resolve, 500))
  run.end('requested', 'grace')
  const end = await run.ended()
  assert.equal(end.left, 0)
})

test('an order for a run that has ended, or that nobody knows, does nothing', async () => {
  const run = shell(serve, 'exit 0')
  await run.ended()
  run.end('requested', 'now')
  serve.send('end', '4000000', 'requested', 'now')
  assert.equal((await shell(serve, 'exit 3').ended()).exit, 3)
})

test('a followed run is ended through its shim', async () => {
  const other = new Place()
  const first = new Serve(other)
  const run = first.start({ arg: ['sleep', '600'] })
  const { pid } = await run.started()
  await first.close()
  const second = new Serve(other)
  const followed = second.follow(run.claim)
  await followed.started()
  followed.end('unrecorded', 'grace')
  const end = await followed.ended()
  assert.deepEqual([end.signal, end.why], [15, 'unrecorded'])
  assert.ok(!alive(pid))
  await second.close()
  other.remove()
})

const root = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find(path => existsSync(join(path, 'cgroup.procs')))

test('each run has a cgroup of its own, which is killed and removed', {
  skip: (!isRoot || !root) && 'needs root and cgroup v2',
}, async () => {
  const group = join(root!, `kron-shim-ending-${process.pid}`)
  mkdirSync(group)
  const other = new Place()
  const grouped = new Serve(other, { cgroup: group })
  try {
    const run = shell(grouped, 'cat /proc/self/cgroup; (setsid sleep 600 &); echo $$ >> pids; exec sleep 600')
    const { shim } = await run.started()
    await pids(1)
    const name = `run-${run.execution}`
    await until('its cgroup in the output', () => run.log('out').text.includes(`/${name}\n`))
    assert.equal(
      readFileSync(join(group, name, 'cgroup.procs'), 'utf8')
        .trim()
        .split('\n').length,
      2,
    )
    run.end('requested', 'grace')
    assert.equal((await run.ended()).left, 0)
    await until('the shim to end', () => !alive(shim))
    assert.ok(!existsSync(join(group, name)))

    const orphan = shell(
      grouped,
      'trap "" TERM; (setsid sleep 600 &); echo $$ >> pids; while :; do sleep 0.1; done',
      { grace: 200 },
    )
    const started = await orphan.started()
    await pids(1)
    process.kill(started.shim, 'SIGKILL')
    orphan.end('requested', 'grace')
    await orphan.answer('lost')
    await until('the orphans to be killed by their cgroup', () => {
      const procs = join(group, `run-${orphan.execution}`, 'cgroup.procs')
      return !existsSync(procs) || readFileSync(procs, 'utf8') === ''
    })
  } finally {
    await grouped.close()
    if (existsSync(join(group, 'cgroup.kill'))) writeFileSync(join(group, 'cgroup.kill'), '1')
    await until('the cgroup to go', () => {
      try {
        for (const one of readdirSync(group, { withFileTypes: true }))
          if (one.isDirectory()) rmdirSync(join(group, one.name))
        rmdirSync(group)
        return true
      } catch {
        return false
      }
    })
    other.remove()
  }
})
