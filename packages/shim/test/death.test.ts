import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { alive, closeAll, Place, Serve, stat, until } from './driver.ts'
import { endOf, readClaim, readKept } from './records.ts'

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

const file = (name: string): string => join(place.root, name)
const count = (name: string): number => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').length : 0)
const kill = (pid: number): void => {
  process.kill(pid, 'SIGKILL')
}

test('a run outlives serve; a second serve follows it to its exact end and output', async () => {
  const first = await serving()
  const run = first.start({
    arg: ['sh', '-c', 'echo before; while [ ! -e go ]; do sleep 0.05; done; echo after; exit 9'],
    cwd: place.root,
  })
  const { pid, shim, at } = await run.started()
  kill(first.process.pid!)
  await first.exited
  const second = await serving()
  const followed = second.follow(run.claim, run.execution)
  const seen = await followed.started()
  assert.deepEqual([seen.pid, seen.shim, seen.at], [pid, shim, at])
  writeFileSync(file('go'), '')
  const end = await followed.ended()
  assert.equal(end.exit, 9)
  assert.equal(end.why, 'exited')
  assert.equal(followed.kept().head.toString(), 'before\nafter\n')
  const record = await until(
    'the .end file',
    () =>
      existsSync(join(place.runs, `${run.execution}.end`)) &&
      readFileSync(join(place.runs, `${run.execution}.end`), 'utf8'),
  )
  assert.match(record, new RegExp(`^kron-end 1\\nexecution ${run.execution}\\nexit 9\\n`))
  assert.match(record, /crc [0-9a-f]{8}\n$/)
  await second.close()
})

test('a run that ends while no daemon lives leaves its end in the claim and in a file', async () => {
  const first = await serving()
  const run = first.start({ arg: ['sh', '-c', 'sleep 0.4; echo alone; exit 3'] })
  const { shim } = await run.started()
  await first.close()
  await until('the shim to end', () => !alive(shim))
  const record = readFileSync(join(place.runs, `${run.execution}.end`), 'utf8').split('\n')
  const end = endOf(record.slice(2, -2))
  assert.equal(end.exit, 3)
  assert.equal(end.undelivered, 6, 'no daemon, so the log did not get it')
  assert.equal(readKept(readFileSync(join(place.runs, `${run.execution}.output`))).head.toString(), 'alone\n')
  const second = await serving()
  const followed = second.follow(run.claim, run.execution)
  assert.deepEqual(await followed.ended(), end)
  assert.deepEqual(
    followed.answers.map(frame => frame.kind),
    ['ended'],
  )
  await second.close()
})

test('no .end file is written while a daemon takes the end', async () => {
  const serve = await serving()
  const run = serve.start({ arg: 'true' })
  const { shim } = await run.started()
  await run.ended()
  await until('the shim to end', () => !alive(shim))
  assert.ok(!existsSync(join(place.runs, `${run.execution}.end`)))
  await serve.close()
})

/** How often a process has gone to sleep. */
const sleeps = (pid: number): number =>
  Number(/^voluntary_ctxt_switches:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1])

test('a run that has ended sleeps, and syncs nothing, until serve has time for it', async () => {
  const serve = await serving()
  const run = serve.start({ arg: ['sleep', '0.2'] })
  const { shim } = await run.started()
  process.kill(serve.process.pid!, 'SIGSTOP')
  const claim = join(place.claims, run.claim)
  await until('the end in the claim', () => typeof readClaim(claim)[2] === 'object')
  await until('the shim to sleep', () => stat(shim)?.state === 'S')
  const before = sleeps(shim)
  await new Promise(resolve => setTimeout(resolve, 500))
  assert.equal(sleeps(shim), before)
  assert.ok(!existsSync(join(place.runs, `${run.execution}.end`)))
  process.kill(serve.process.pid!, 'SIGCONT')
  assert.equal((await run.ended()).exit, 0)
  await until('the shim to end', () => !alive(shim))
  assert.ok(!existsSync(join(place.runs, `${run.execution}.end`)))
  await serve.close()
})

test('a serve that is killed before it reads an end gets a .end file at once', async () => {
  const serve = await serving()
  const run = serve.start({ arg: ['sleep', '0.2'] })
  await run.started()
  process.kill(serve.process.pid!, 'SIGSTOP')
  const claim = join(place.claims, run.claim)
  await until('the end in the claim', () => typeof readClaim(claim)[2] === 'object')
  kill(serve.process.pid!)
  await until('the .end file', () => existsSync(join(place.runs, `${run.execution}.end`)))
})

test('a serve that does not read gets a .end file after ten seconds, and the end later', async () => {
  const serve = await serving()
  const run = serve.start({ arg: ['sleep', '0.2'] })
  await run.started()
  process.kill(serve.process.pid!, 'SIGSTOP')
  await until('the .end file', () => existsSync(join(place.runs, `${run.execution}.end`)))
  process.kill(serve.process.pid!, 'SIGCONT')
  assert.equal((await run.ended()).exit, 0)
  await serve.close()
})

test('follow of a claim that is not there is gone', async () => {
  const serve = await serving()
  await serve.follow('never-started').answer('gone')
  await serve.close()
})

for (const [title, bytes] of [
  ['an empty file', Buffer.alloc(0)],
  ['a short file', Buffer.from('kron-claim 1\n')],
  ['garbage', Buffer.alloc(4096, 'x')],
  ['only NUL bytes', Buffer.alloc(4096)],
] as [string, Buffer][])
  test(`a damaged claim (${title}) that nobody holds is lost, never gone`, async () => {
    const serve = await serving()
    const name = place.id()
    writeFileSync(join(place.claims, name), bytes)
    await serve.follow(name).answer('lost')
    await serve.start({ arg: 'true' }, name).answer('already')
    await serve.close()
  })

test('a claim whose run never came to life is gone, and can be made again', async () => {
  const serve = await serving()
  const name = place.id()
  const lines = `kron-claim 1\nexecution ${name}\nboot b\nkeep 0\n`
  const bytes = Buffer.alloc(4096)
  bytes.write(`${lines}crc ${crc32(lines).toString(16).padStart(8, '0')}\n`)
  writeFileSync(join(place.claims, name), bytes)
  await serve.follow(name).answer('gone')
  assert.equal((await serve.start({ arg: 'true' }, name).ended()).exit, 0)
  await serve.close()
})

test('a killed shim leaves its command, which is watched to its end and then lost', async () => {
  const serve = await serving()
  const run = serve.start({
    arg: ['sh', '-c', 'while [ ! -e stop1 ]; do sleep 0.05; done'],
    cwd: place.root,
    stdout: 'discard',
  })
  const { pid, shim } = await run.started()
  kill(shim)
  await until('the shim to be gone', () => !alive(shim))
  const second = serve.follow(run.claim)
  assert.equal((await second.started()).pid, pid)
  await new Promise(resolve => setTimeout(resolve, 200))
  assert.deepEqual(
    run.answers.map(frame => frame.kind),
    ['started'],
  )
  writeFileSync(file('stop1'), '')
  await run.answer('lost')
  await second.answer('lost')
  await serve.close()
})

test('the shim of a followed run is killed: the command is watched on', async () => {
  for (let round = 0; round < 10; round++) {
    const first = await serving()
    const run = first.start({ arg: ['sleep', '600'] })
    const { pid, shim } = await run.started()
    await first.close()
    const second = await serving()
    const followed = second.follow(run.claim)
    await followed.started()
    process.kill(second.process.pid!, 'SIGSTOP') // so that both signs of its death come at once
    kill(shim)
    await until('the shim to be gone', () => !alive(shim))
    process.kill(second.process.pid!, 'SIGCONT')
    await second.start({ arg: 'true' }).ended()
    assert.deepEqual(
      followed.answers.map(frame => frame.kind),
      ['started'],
    )
    assert.ok(alive(pid))
    followed.end('stopped', 'now')
    await followed.answer('lost')
    await second.close()
  }
})

test('serve ends the command of a killed shim: TERM, grace, KILL', async () => {
  const serve = await serving()
  const stubborn = serve.start({
    arg: [
      'sh',
      '-c',
      'exec 2>/dev/null; trap "printf t >> term" TERM; touch armed; while :; do sleep 0.05; done',
    ],
    cwd: place.root,
    grace: 300,
    stderr: 'discard',
  })
  const { pid, shim } = await stubborn.started()
  await until('the trap', () => existsSync(file('armed')))
  kill(shim)
  await until('the shim to be gone', () => !alive(shim))
  stubborn.end('requested', 'grace')
  await stubborn.answer('lost')
  assert.ok(!alive(pid))
  assert.ok(count('term') >= 1)
  await serve.close()
})

test('a command killed from outside is an end by signal', async () => {
  const serve = await serving()
  const run = serve.start({ arg: ['sleep', '60'] })
  kill((await run.started()).pid)
  const end = await run.ended()
  assert.equal(end.signal, 9)
  assert.equal(end.why, 'exited')
  await serve.close()
})

test('serve, shim and command killed together: lost', async () => {
  const first = await serving()
  const run = first.start({ arg: ['sleep', '60'] })
  const { pid, shim } = await run.started()
  for (const victim of [first.process.pid!, shim, pid]) kill(victim)
  await first.exited
  await until('the command to be gone', () => !alive(pid) && !alive(shim))
  const second = await serving()
  const followed = second.follow(run.claim)
  await followed.answer('lost')
  assert.deepEqual(
    followed.answers.map(frame => frame.kind),
    ['lost'],
  )
  await second.close()
})

test('a job that kills its own shim and serve is found again', async () => {
  const first = await serving()
  const run = first.start({ arg: ['sh', '-c', `kill -9 $PPID ${first.process.pid}; sleep 0.5`] })
  assert.equal((await first.exited).signal, 'SIGKILL')
  const second = await serving()
  const followed = second.follow(run.claim)
  await followed.answer('lost')
  await second.close()
})

test('a shim killed at any moment: refused means never executed, and no start is executed twice', async () => {
  const serve = await serving()
  const seen: Record<string, number> = {}
  for (let round = 0; round < 150; round++) {
    const name = `kill-${round}`
    const run = serve.start({
      arg: ['sh', '-c', `printf x >> ${name}; sleep 0.05`],
      cwd: place.root,
      stdout: 'discard',
      stderr: 'discard',
    })
    const victim = await until('the shim', () => {
      if (run.answers.length > 0) return -1
      try {
        const [, second] = readClaim(join(place.claims, run.claim))
        return typeof second === 'object' && Number(second.shim!.split(' ')[0])
      } catch {
        return undefined
      }
    })
    const wait = (round % 30) * 0.1
    const from = performance.now()
    while (performance.now() - from < wait) {}
    if (victim > 0)
      try {
        kill(victim)
      } catch {}
    const answer = await run.answer('started', 'refused', 'unknown')
    if (answer.kind === 'started') await run.answer('ended', 'lost')
    const last = run.answers.map(frame => frame.kind).join(' ')
    seen[last] = (seen[last] ?? 0) + 1
    const again = serve.start({ arg: ['sh', '-c', `printf y >> ${name}`], cwd: place.root }, run.claim)
    const verdict = await again.answer('already', 'started')
    assert.equal(verdict.kind, answer.kind === 'refused' ? 'started' : 'already')
    if (answer.kind === 'refused') assert.equal(count(name), 0)
    else assert.ok(count(name) <= 1)
  }
  console.log(`outcomes: ${JSON.stringify(seen)}`)
  await serve.close()
})
