/** Prepared starts whose system calls fail. strace makes them fail. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test as nodeTest } from 'node:test'
import { closeAll, Place, type Run, Serve, until, whileClockStands } from './driver.ts'

const skip = spawnSync('strace', ['true']).status !== 0 && 'needs strace'
const test = (name: string, body: () => Promise<void>): void =>
  void nodeTest(name, { skip }, whileClockStands(body))

let place: Place
const tracers: ChildProcess[] = []
before(() => {
  place = new Place()
})
afterEach(async () => {
  await closeAll()
  for (const tracer of tracers.splice(0)) tracer.kill()
})
after(() => place.remove())

/** From now on this call fails in the process and in its children: each time, or the first time in each. */
async function fail(pid: number, call: string, error: string, when = '1+'): Promise<void> {
  const inject = `inject=${call}:error=${error}:when=${when}`
  tracers.push(spawn('strace', ['-f', '-qq', '-o', '/dev/null', '-p', String(pid), '-e', inject]))
  await until('strace', () => !readFileSync(`/proc/${pid}/status`, 'utf8').includes('TracerPid:\t0\n'))
}

interface Held {
  readonly serve: Serve
  readonly run: Run
  readonly file: string
}

/** A serve, and a start that is held for so long; `prepare` happens before serve gets the start. */
async function hold(ms: number, prepare = (_: number): unknown => undefined): Promise<Held> {
  const serve = new Serve(place)
  const offset = BigInt((await serve.ready()).fields[2]!)
  await prepare(serve.process.pid!)
  const file = join(place.root, `ran-${place.id()}`)
  const inMs = (after: number): string =>
    String(process.hrtime.bigint() + offset + BigInt(after) * 1_000_000n)
  const arg = ['sh', '-c', `echo ran >> ${file}`]
  return { serve, run: serve.start({ arg, first: inMs(ms), last: inMs(120_000) }), file }
}

/** The waiting run, once its child waits, too. */
const shimOf = ({ serve }: Held): Promise<number> =>
  until('a prepared run', () => {
    const shim = childOf(serve.process.pid!)
    return shim !== undefined && childOf(shim) !== undefined && shim
  })

const childOf = (pid: number): number | undefined => {
  const path = `/proc/${pid}/task/${pid}/children`
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) || undefined : undefined
}

const linesOf = ({ file }: Held): number =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0

test('a run that cannot listen to orders never waits for one: its start is refused', async () => {
  const held = await hold(500, serve => fail(serve, 'signalfd4', 'ENFILE'))
  assert.equal((await held.run.refused()).stage, 'setup')
  assert.equal(linesOf(held), 0)
  assert.ok(!place.claimNames().includes(held.run.claim))
})

test('a child that cannot be told to go on is killed, and its start is refused at once', async () => {
  const held = await hold(5_000)
  await fail(await shimOf(held), 'sendto', 'ENOBUFS')
  assert.equal((await held.run.refused()).stage, 'killed')
  assert.equal(linesOf(held), 0)
})

test('a start is not refused because the words of its child cannot be read', async () => {
  const held = await hold(5_000)
  await fail(await shimOf(held), 'recvmsg', 'ENOMEM')
  assert.equal((await held.run.ended()).exit, 0)
  assert.equal(linesOf(held), 1)
  assert.ok(place.claimNames().includes(held.run.claim))
})
