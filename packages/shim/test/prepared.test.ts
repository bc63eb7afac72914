import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test as nodeTest } from 'node:test'
import {
  alive,
  closeAll,
  isRoot,
  Place,
  type Run,
  Serve,
  type ServeOptions,
  stat,
  until,
  whileClockStands,
} from './driver.ts'

const test = (name: string, body: () => Promise<void>): void => void nodeTest(name, whileClockStands(body))

let place: Place
before(() => {
  place = new Place()
})
afterEach(closeAll)
after(() => place.remove())

/** A serve, and CLOCK_BOOTTIME after so many milliseconds. */
async function opened(
  options: ServeOptions = {},
  at = place,
): Promise<{ serve: Serve; inMs: (ms: number) => string }> {
  const serve = new Serve(at, options)
  const offset = BigInt((await serve.ready()).fields[2]!)
  return { serve, inMs: ms => String(process.hrtime.bigint() + offset + BigInt(ms) * 1_000_000n) }
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(each => stat(each)?.parent === pid && alive(each))

interface Prepared {
  readonly run: Run
  readonly file: string
  /** The waiting run, and its child. */
  readonly shim: number
  readonly child: number
}

/** Starts a command that writes a line, and resolves when its run and its child wait. */
async function prepare(serve: Serve, first: string, claim?: string): Promise<Prepared> {
  const file = join(place.root, `ran-${place.id()}`)
  const run = serve.start({ arg: ['sh', '-c', `echo ran >> ${file}`], first }, claim)
  const known = new Set(serving.get(serve))
  const shim = await until('a prepared run', () =>
    childrenOf(serve.process.pid!).find(pid => !known.has(pid)),
  )
  const child = await until('its child', () => childrenOf(shim)[0])
  serving.set(serve, [...known, shim])
  return { run, file, shim, child }
}
const serving = new Map<Serve, number[]>()

const linesOf = (file: string): number =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0

test('the run and its child wait before their time, without a claim, and are those that begin then', async () => {
  const { serve, inMs } = await opened()
  const first = inMs(1_500)
  const { run, file, shim, child } = await prepare(serve, first)
  assert.ok(!place.claimNames().includes(run.claim))
  assert.equal(linesOf(file), 0)
  const started = await run.started()
  assert.deepEqual([started.shim, started.pid], [shim, child])
  assert.ok(started.at >= BigInt(first))
  assert.equal((await run.ended()).exit, 0)
  assert.equal(linesOf(file), 1)
  assert.deepEqual(
    place.claimNames().filter(name => name.startsWith('.')),
    [],
  )
})

test('a start that is taken back leaves no process, no claim and no file', async () => {
  const { serve, inMs } = await opened()
  const { run, file, shim, child } = await prepare(serve, inMs(60_000))
  serve.send('cancel', String(run.ref))
  assert.equal((await run.refused()).stage, 'held')
  await until('the end of both', () => !alive(shim) && !alive(child))
  assert.equal(linesOf(file), 0)
  assert.deepEqual(
    place.claimNames().filter(name => name === run.claim || name.startsWith('.')),
    [],
  )
  assert.deepEqual(
    run.answers.map(({ kind }) => kind),
    ['refused'],
  )
})

test('serve is killed: the waiting runs die with it, and the next serve finds the period free', async () => {
  const { serve, inMs } = await opened()
  const { run, file, shim, child } = await prepare(serve, inMs(60_000))
  serve.process.kill('SIGKILL')
  await serve.exited
  await until('the end of both', () => !alive(shim) && !alive(child))
  const next = await opened()
  await next.serve.follow(run.claim).answer('gone')
  assert.deepEqual(
    place.claimNames().filter(name => name.startsWith('.')),
    [],
    'the next serve removes hidden claims',
  )
  assert.equal((await next.serve.start({ arg: ['true'] }, run.claim).ended()).exit, 0)
  assert.equal(linesOf(file), 0)
})

for (const [who, pick] of [
  ['run', ({ shim }: Prepared) => shim],
  ['child', ({ child }: Prepared) => child],
] as const)
  test(`the ${who} is killed while it waits: the command begins at its time all the same, once`, async () => {
    const { serve, inMs } = await opened()
    const prepared = await prepare(serve, inMs(1_500))
    process.kill(pick(prepared), 'SIGKILL')
    assert.equal((await prepared.run.ended()).exit, 0)
    assert.equal(linesOf(prepared.file), 1)
  })

test('the run is dead when serve tells it to go on: the command begins all the same, once', async () => {
  const { serve, inMs } = await opened()
  const first = inMs(500)
  const { run, file, shim } = await prepare(serve, first)
  // serve wakes up after the second, and sees the time before it sees the death.
  serve.process.kill('SIGSTOP')
  process.kill(shim, 'SIGKILL')
  await until('the second', () => BigInt(inMs(0)) > BigInt(first))
  serve.process.kill('SIGCONT')
  assert.equal((await run.ended()).exit, 0)
  assert.equal(linesOf(file), 1)
  assert.deepEqual(
    run.answers.map(({ kind }) => kind),
    ['started', 'ended'],
  )
})

test('the run is ordered to end, and dies before it goes on: it never begins', async () => {
  const { serve, inMs } = await opened()
  const first = inMs(500)
  const { run, file, shim } = await prepare(serve, first)
  process.kill(shim, 'SIGSTOP')
  await until('the name of its claim', () => place.claimNames().includes(run.claim))
  run.end('stopped', 'now')
  // An answer to a later frame: serve has taken the order.
  await serve.follow(`nothing-${place.id()}`).answer('gone')
  process.kill(shim, 'SIGKILL')
  assert.equal((await run.refused()).stage, 'killed')
  assert.equal(linesOf(file), 0)
  assert.ok(!place.claimNames().includes(run.claim))
})

test('another claim has the name when the time comes: already, and that claim is not touched', async () => {
  const { serve, inMs } = await opened()
  const claim = place.id()
  const { run, file, shim, child } = await prepare(serve, inMs(1_500), claim)
  writeFileSync(join(place.claims, claim), 'the claim of somebody else')
  await run.answer('already')
  await until('the end of both', () => !alive(shim) && !alive(child))
  assert.equal(linesOf(file), 0)
  assert.equal(readFileSync(join(place.claims, claim), 'utf8'), 'the claim of somebody else')
})

test('the hidden claim is gone when the time comes: the command begins all the same, once', async () => {
  const { serve, inMs } = await opened()
  const { run, file, shim } = await prepare(serve, inMs(1_500))
  for (const name of place.claimNames().filter(each => each.startsWith('.'))) rmSync(join(place.claims, name))
  assert.equal((await run.ended()).exit, 0)
  assert.equal(linesOf(file), 1)
  await until('the end of the prepared run', () => !alive(shim))
})

/** Sends the signal with which serve lets a prepared run go on. */
const forgeGo = (pid: number): void => {
  const program = `import ctypes; raise SystemExit(ctypes.CDLL(None).sigqueue(${pid}, 40, ctypes.c_void_p(1024)))`
  execFileSync('python3', ['-c', program])
}

test('a forged order to go on executes nothing without the name of the claim', async () => {
  const { serve, inMs } = await opened()
  const { run, file, shim, child } = await prepare(serve, inMs(1_500))
  forgeGo(shim)
  await until('the end of both', () => !alive(shim) && !alive(child))
  assert.equal(linesOf(file), 0)
  assert.equal((await run.ended()).exit, 0, 'it begins at its time')
  assert.equal(linesOf(file), 1)
})

test('more starts than serve prepares all begin, each once', async () => {
  const { serve, inMs } = await opened()
  const first = inMs(2_000)
  const runs = Array.from({ length: 1_100 }, () => serve.start({ arg: ['/bin/true'], first }))
  for (const run of runs) assert.equal((await run.ended()).exit, 0)
  const begun = serve.frames.filter(({ kind }) => kind === 'started').map(({ fields }) => fields[0])
  assert.equal(begun.length, 1_100)
  assert.equal(new Set(begun).size, 1_100)
})

/** The processor time of a process, in clock ticks. */
const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}

test('serve sleeps while krond is to hear nothing in a burst', async () => {
  const { serve, inMs } = await opened()
  const first = inMs(1_500)
  const runs = Array.from({ length: 80 }, () => serve.start({ arg: ['/bin/true'], first }))
  const pid = serve.process.pid!
  const shims = await until('the runs', () => {
    const found = childrenOf(pid)
    return found.length === runs.length && found
  })
  const stopped = shims.slice(0, 60)
  for (const shim of stopped) process.kill(shim, 'SIGSTOP')
  await until('the claims', () => {
    const names = new Set(place.claimNames())
    return runs.every(({ claim }) => names.has(claim))
  })
  const ticks = ticksOf(pid)
  await until('the end of the burst', () => serve.frames.some(({ kind }) => kind === 'started'))
  const used = ticksOf(pid) - ticks
  assert.ok(used < 25, `${used} hundredths of a second`)
  for (const shim of stopped) process.kill(shim, 'SIGCONT')
  for (const run of runs) assert.equal((await run.ended()).exit, 0)
})

nodeTest(
  'a start finds all processes taken by prepared runs: it is put off, not refused',
  {
    skip: !isRoot && 'needs root',
  },
  async () => {
    // root is bound by no nproc limit, so serve runs as a user of its own.
    const other = new Place()
    execFileSync('chown', ['-R', '54411:54411', other.root])
    execFileSync('chmod', ['755', other.root])
    const user = ['setpriv', '--reuid=54411', '--regid=54411', '--clear-groups', 'prlimit', '--nproc=5']
    const { serve, inMs } = await opened({ command: argv => [...user, ...argv] }, other)
    const held = [1, 2].map(() => serve.start({ arg: ['true'], first: inMs(60_000) }))
    await until('two prepared runs', () => {
      const shims = childrenOf(serve.process.pid!)
      return shims.length === 2 && shims.every(shim => childrenOf(shim).length === 1)
    })
    const run = serve.start({ arg: ['true'] })
    await serve.follow('nothing').answer('gone')
    for (const { ref } of held) serve.send('cancel', String(ref))
    assert.equal((await run.ended()).exit, 0)
    await serve.close()
    other.remove()
  },
)
