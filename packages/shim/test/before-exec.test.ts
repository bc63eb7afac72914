import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { alive, closeAll, isRoot, Place, Serve, type Spec, until } from './driver.ts'
import { readClaim } from './records.ts'

let place: Place
before(() => {
  place = new Place()
})
afterEach(closeAll)
after(() => place.remove())

const serving = async (options = {}): Promise<Serve> => {
  const serve = new Serve(place, { wait: 10_000, ...options })
  assert.equal((await serve.ready()).fields[1], 'locked')
  return serve
}

const count = (name: string): number =>
  existsSync(join(place.root, name)) ? readFileSync(join(place.root, name), 'utf8').length : 0
const kill = (pid: number): void => {
  process.kill(pid, 'SIGKILL')
}

/** A cgroup v2 directory this process may use, if there is one. */
const cgroupRoot = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find(path =>
  existsSync(join(path, 'cgroup.procs')),
)
const noCgroup = (!isRoot || !cgroupRoot) && 'needs root and cgroup v2'

/** Runs `body` with a start that is frozen between fork and exec. */
const frozen = async (
  body: (serve: Serve, run: ReturnType<Serve['start']>, thaw: () => void) => Promise<void>,
  spec: Spec = {},
) => {
  const group = join(cgroupRoot!, `kron-shim-test-${process.pid}`)
  mkdirSync(group)
  try {
    const serve = await serving({ cgroup: group })
    const execution = place.id()
    mkdirSync(join(group, `run-${execution}`))
    const freeze = join(group, `run-${execution}`, 'cgroup.freeze')
    writeFileSync(freeze, '1')
    const run = serve.start({ execution, arg: ['sh', '-c', 'printf x >> frozen'], cwd: place.root, ...spec })
    await until('the child to be frozen', () =>
      readFileSync(join(group, `run-${execution}`, 'cgroup.procs'), 'utf8'),
    )
    await body(serve, run, () => writeFileSync(freeze, '0'))
    if (existsSync(freeze)) writeFileSync(freeze, '0')
    await serve.close().catch(() => {})
    await until('the cgroup to be empty', () => {
      try {
        if (existsSync(join(group, `run-${execution}`))) rmdirSync(join(group, `run-${execution}`))
        return true
      } catch {
        return false
      }
    })
  } finally {
    await until('the cgroup to go', () => {
      try {
        rmdirSync(group)
        return true
      } catch {
        return false
      }
    })
  }
}

test('a child killed before exec is refused as killed, and its claim is gone', { skip: noCgroup }, () =>
  frozen(async (serve, run) => {
    const pid = Number(
      readFileSync(
        join(cgroupRoot!, `kron-shim-test-${process.pid}/run-${run.execution}/cgroup.procs`),
        'utf8',
      ),
    )
    kill(pid)
    assert.deepEqual(await run.refused(), { stage: 'killed', errno: 0, detail: '' })
    assert.ok(!existsSync(join(place.claims, run.claim)))
    assert.equal(count('frozen'), 0)
    await serve.start({ arg: 'true' }, run.claim).answer('ended')
  }),
)

test(
  'a shim killed before exec is unknown; its child never executes; the claim stays',
  { skip: noCgroup },
  () =>
    frozen(async (serve, run, thaw) => {
      const [, second] = readClaim(join(place.claims, run.claim)) as Record<string, string>[]
      kill(Number(second!.shim!.split(' ')[0]))
      await run.answer('unknown')
      const followed = serve.follow(run.claim)
      thaw()
      await followed.answer('lost')
      assert.equal(count('frozen'), 0)
      await serve.start({ arg: 'true' }, run.claim).answer('already')
    }),
)

test(
  'serve killed before exec: the run goes on and a second serve hears of its start',
  { skip: noCgroup },
  () =>
    frozen(async (serve, run, thaw) => {
      kill(serve.process.pid!)
      await serve.exited
      const second = await serving()
      const followed = second.follow(run.claim, run.execution)
      await new Promise(resolve => setTimeout(resolve, 100))
      assert.deepEqual(followed.answers, [])
      thaw()
      assert.equal((await followed.ended()).exit, 0)
      assert.equal(count('frozen'), 1)
      await second.close()
    }),
)

test('an order to end a start under way takes it back', { skip: noCgroup }, () =>
  frozen(async (_serve, run) => {
    run.end('replaced', 'grace')
    assert.equal((await run.refused()).stage, 'killed')
  }),
)

const bootNs = (): bigint =>
  BigInt(Math.round(Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1_000)) * 1_000_000n

test(
  'a child that is stuck past its last permitted start is refused, and never executes',
  {
    skip: noCgroup,
  },
  () =>
    frozen(
      async (serve, run) => {
        const before = count('frozen')
        assert.deepEqual(await run.refused(), { stage: 'deadline', errno: 0, detail: '' })
        assert.ok(!existsSync(join(place.claims, run.claim)))
        await serve.start({ arg: 'true' }, run.claim).answer('ended')
        assert.equal(count('frozen'), before)
      },
      { last: String(bootNs() + 500_000_000n) },
    ),
)

test('the cgroup of a run whose shim was killed is removed: at its end, or by the next serve', {
  skip: noCgroup,
}, async () => {
  const group = join(cgroupRoot!, `kron-shim-left-${process.pid}`)
  mkdirSync(group)
  const left = (): string[] => readdirSync(group).filter(name => name.startsWith('run-'))
  try {
    const first = await serving({ cgroup: group })
    const watched = first.start({ arg: ['sleep', '600'] })
    const unwatched = first.start({ arg: ['sleep', '600'] })
    const one = await watched.started()
    const two = await unwatched.started()
    kill(one.shim)
    kill(one.pid)
    await watched.answer('lost')
    assert.deepEqual(left(), [`run-${unwatched.execution}`])
    await first.close()
    kill(two.shim)
    kill(two.pid)
    await until('the command to be gone', () => !alive(two.pid))
    const second = await serving({ cgroup: group })
    assert.deepEqual(left(), [])
    await second.close()
  } finally {
    for (const name of left()) rmdirSync(join(group, name))
    rmdirSync(group)
  }
})

test('a claim that cannot be taken back makes a failed start unknown, never refused', {
  skip: !isRoot && 'needs root',
}, async t => {
  const other = new Place()
  const isAppendOnly = spawnSync('chattr', ['+a', other.claims]).status === 0
  try {
    if (!isAppendOnly) return t.diagnostic('this file system has no append-only directories')
    const missing = join(other.root, 'group')
    mkdirSync(missing)
    const serve = new Serve(other, { cgroup: missing })
    await serve.ready()
    rmdirSync(missing)
    const run = serve.start({ arg: 'true' })
    assert.equal((await run.answer('refused', 'unknown')).kind, 'unknown')
    await serve.start({ arg: 'true' }, run.claim).answer('already', 'refused')
    await serve.close()
  } finally {
    spawnSync('chattr', ['-a', other.claims])
    other.remove()
  }
})

test('starts are answered while others connect to the control socket as fast as they can', async () => {
  const serve = await serving({ control: true })
  const flood = `
    const { connect } = require('node:net')
    const again = () => connect(${JSON.stringify(place.control)}).on('error', () => {}).on('close', again)
    for (let i = 0; i < 50; i++) again()`
  const crowd = Array.from({ length: 4 }, () => spawn(process.execPath, ['-e', flood]))
  try {
    for (let round = 0; round < 50; round++) {
      const run = serve.start({ arg: 'true' })
      await run.started()
      await run.ended()
    }
  } finally {
    for (const each of crowd) each.kill('SIGKILL')
    await serve.close()
  }
})
