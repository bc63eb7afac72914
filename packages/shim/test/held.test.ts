import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import { closeAll, isRoot, Place, type Run, Serve, until } from './driver.ts'

let place: Place
before(() => {
  place = new Place()
})
afterEach(closeAll)
after(() => place.remove())

async function opened(): Promise<{ serve: Serve; inMs: (ms: number) => string }> {
  const serve = new Serve(place)
  const offset = BigInt((await serve.ready()).fields[2]!)
  /** CLOCK_BOOTTIME after so many milliseconds. */
  const inMs = (ms: number): string => String(process.hrtime.bigint() + offset + BigInt(ms) * 1_000_000n)
  return { serve, inMs }
}

/** Frames are answered in order, so everything sent before is done. */
async function settled(serve: Serve): Promise<void> {
  const probe = serve.follow(`nothing-${place.id()}`)
  await until('an answer', () =>
    serve.frames.find(each => each.kind === 'gone' && each.fields[0] === String(probe.ref)),
  )
}

const refusalOf = (serve: Serve, run: Run): Promise<string[]> =>
  until('a refusal', () =>
    serve.frames.find(each => each.kind === 'refused' && each.fields[0] === String(run.ref)),
  ).then(frame => frame.fields.slice(1))

test('a start with a first time is held without a claim, and never executed before that time', async () => {
  const { serve, inMs } = await opened()
  const first = inMs(700)
  const run = serve.start({ arg: ['/bin/true'], first })
  await settled(serve)
  assert.ok(!place.claimNames().includes(run.claim))
  const { at } = await run.started()
  assert.ok(BigInt(at) >= BigInt(first), `${at} is before ${first}`)
  assert.equal((await run.ended()).exit, 0)
})

test('a first time that has passed is no reason to wait', async () => {
  const { serve } = await opened()
  const run = serve.start({ arg: ['/bin/true'], first: '1' })
  assert.equal((await run.ended()).exit, 0)
})

test('held starts begin in the order of their times, whatever the order in which they came', async () => {
  const { serve, inMs } = await opened()
  const late = serve.start({ arg: ['/bin/true'], first: inMs(600) })
  const early = serve.start({ arg: ['/bin/true'], first: inMs(300) })
  const [one, other] = [await early.started(), await late.started()]
  assert.ok(BigInt(one.at) < BigInt(other.at))
})

test('many held starts of one time all begin, and each once', async () => {
  const { serve, inMs } = await opened()
  const first = inMs(500)
  const runs = Array.from({ length: 200 }, () => serve.start({ arg: ['/bin/true'], first }))
  for (const run of runs) assert.equal((await run.ended()).exit, 0)
  const begun = serve.frames.filter(each => each.kind === 'started').map(each => each.fields[0])
  assert.equal(new Set(begun).size, 200)
  assert.equal(begun.length, 200)
})

test('serve is killed in the middle of a burst: every run that began ends as if nothing had happened', async () => {
  const { serve, inMs } = await opened()
  const file = `${place.root}/burst`
  const first = inMs(500)
  const runs = Array.from({ length: 200 }, () =>
    serve.start({ arg: ['sh', '-c', `echo ran >> ${file}`], first }),
  )
  const begun = (): number => {
    const names = new Set(place.claimNames())
    return runs.filter(each => names.has(each.claim)).length
  }
  await until('some starts', () => (begun() > 40 ? true : undefined))
  serve.process.kill('SIGKILL')
  await serve.exited
  const next = await opened()
  const answers = runs.map(run => next.serve.follow(run.claim))
  const answerTo = (ref: number): Promise<string> =>
    until('an answer', () =>
      next.serve.frames.find(each => ['ended', 'gone'].includes(each.kind) && each.fields[0] === String(ref)),
    ).then(({ kind }) => kind)
  const kinds = await Promise.all(answers.map(each => answerTo(each.ref)))
  const ended = kinds.filter(kind => kind === 'ended').length
  assert.ok(ended > 0)
  assert.equal(readFileSync(file, 'utf8').trim().split('\n').length, ended)
})

test('a held start can be cancelled, and its claim is free for another', async () => {
  const { serve, inMs } = await opened()
  const run = serve.start({ arg: ['/bin/true'], first: inMs(60_000) })
  serve.send('cancel', String(run.ref))
  assert.deepEqual(await refusalOf(serve, run), ['held', '0', ''])
  const again = serve.start({ arg: ['/bin/true'] }, run.claim)
  assert.equal((await again.ended()).exit, 0)
})

test('cancel does nothing to a start whose time has come, and nothing to a run', async () => {
  const { serve } = await opened()
  const run = serve.start({ arg: ['sleep', '0.3'] })
  await run.started()
  serve.send('cancel', String(run.ref))
  serve.send('cancel', '4000000000')
  const end = await run.ended()
  assert.deepEqual([end.exit, end.why], [0, 'exited'])
})

test('an order to end a held start cancels it', async () => {
  const { serve, inMs } = await opened()
  const run = serve.start({ arg: ['/bin/true'], first: inMs(60_000) })
  serve.send('end', String(run.ref), 'stopped', 'grace')
  assert.equal((await refusalOf(serve, run))[0], 'held')
})

test('krond ends while a start is held: nothing is executed, and there is no claim', async () => {
  const { serve, inMs } = await opened()
  const run = serve.start({ arg: ['sh', '-c', `echo ran > ${place.root}/ran`], first: inMs(300) })
  await settled(serve)
  await serve.close()
  assert.equal((await serve.exited).code, 0)
  const next = await opened()
  const found = next.serve.follow(run.claim)
  await until('its answer', () =>
    next.serve.frames.find(each => each.kind === 'gone' && each.fields[0] === String(found.ref)),
  )
  assert.throws(() => readFileSync(`${place.root}/ran`))
})

test('a held start is as late as its last permitted start allows, not later', async () => {
  const { serve, inMs } = await opened()
  const run = serve.start({ arg: ['/bin/true'], first: inMs(200), last: inMs(100) })
  assert.equal((await refusalOf(serve, run))[0], 'deadline')
})

/** Moves the wall clock by a nanosecond: the kernel tells of it as of any other setting. */
const SET_CLOCK = `
import ctypes
class Timex(ctypes.Structure):
  _fields_ = [('modes', ctypes.c_uint), ('offset', ctypes.c_long), ('freq', ctypes.c_long), ('maxerror', ctypes.c_long),
    ('esterror', ctypes.c_long), ('status', ctypes.c_int), ('constant', ctypes.c_long), ('precision', ctypes.c_long),
    ('tolerance', ctypes.c_long), ('sec', ctypes.c_long), ('usec', ctypes.c_long), ('rest', ctypes.c_char * 256)]
timex = Timex(modes=0x0100 | 0x2000, sec=0, usec=1)
raise SystemExit(0 if ctypes.CDLL(None).adjtimex(ctypes.byref(timex)) >= 0 else 1)
`

/** Only root may set the clock, and not in every container. */
function maySetClock(): boolean {
  if (!isRoot) return false
  try {
    execFileSync('python3', ['-c', SET_CLOCK], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('a wall clock that is set cancels every held start, because its time may be wrong', {
  skip: maySetClock() ? false : 'the wall clock may not be set here (it needs CAP_SYS_TIME and python3)',
}, async () => {
  const { serve, inMs } = await opened()
  const runs = [60_000, 61_000].map(ms => serve.start({ arg: ['/bin/true'], first: inMs(ms) }))
  await settled(serve)
  execFileSync('python3', ['-c', SET_CLOCK])
  for (const run of runs) assert.equal((await refusalOf(serve, run))[0], 'held')
  const after = serve.start({ arg: ['/bin/true'], first: inMs(300) })
  assert.equal((await after.ended()).exit, 0)
})
