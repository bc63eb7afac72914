import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { alive, closeAll, isRoot, Place, Serve, until } from './driver.ts'

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

/** A program that prints numbered lines of 10 bytes: 000000001\n ... */
const lines = (count: number, extra = ''): string[] => [
  process.execPath,
  '-e',
  `const fs = require('node:fs')
   const write = text => { for (let at = 0; at < text.length; ) { try { at += fs.writeSync(1, text, at) } catch (error) { if (error.code !== 'EAGAIN') throw error } } }
   for (let i = 0; i < ${count}; i += 1000) {
     let text = ''
     for (let j = i; j < Math.min(i + 1000, ${count}); j++) text += String(j).padStart(9, '0') + '\\n'
     write(Buffer.from(text))
   }
   ${extra}`,
]
const numbered = (from: number, to: number): string => {
  let text = ''
  for (let i = from; i < to; i++) text += `${String(i).padStart(9, '0')}\n`
  return text
}

test('100 MB of output: head and tail are kept exactly, in 64 KiB', async () => {
  const run = serve.start({ arg: lines(10_000_000), stdout: 'discard' })
  const end = await run.ended()
  assert.equal(end.exit, 0)
  assert.equal(end.out, 100_000_000)
  const kept = run.kept()
  assert.equal(kept.total, 100_000_000)
  assert.equal(end.dropped, kept.gap)
  assert.ok(
    kept.head.length > 32_768 - 64 && kept.tail.length > 32_768 - 3 * 4100,
    `${kept.head.length} ${kept.tail.length}`,
  )
  const whole = numbered(0, 4000)
  assert.ok(whole.startsWith(kept.head.toString()))
  assert.ok(numbered(9_990_000, 10_000_000).endsWith(kept.tail.toString()))
  assert.ok(readFileSync(join(place.runs, `${run.execution}.output`)).length <= 64 + 65_536)
})

for (const keep of [
  1, 2, 4, 5, 8, 9, 10, 11, 20, 23, 24, 25, 63, 100, 1000, 4100, 8200, 8201, 65_537, 1_048_576,
])
  test(`${keep} kept bytes hold the beginning and the end, and never more`, async () => {
    const run = serve.start({ arg: lines(30_000), stdout: 'discard', keep })
    const end = await run.ended()
    assert.equal(end.out, 300_000)
    const kept = run.kept()
    assert.equal(kept.total, 300_000)
    assert.equal(end.dropped, kept.gap)
    const whole = numbered(0, 30_000)
    assert.ok(whole.startsWith(kept.head.toString()))
    assert.ok(whole.endsWith(kept.tail.toString()))
    if (keep > 600_000) assert.equal(kept.head.toString(), whole)
  })

test('nothing is kept with keep=0, and no file is made for a silent command', async () => {
  const loud = serve.start({ arg: ['echo', 'x'], keep: 0 })
  assert.equal((await loud.ended()).dropped, 2)
  const silent = serve.start({ arg: 'true' })
  await silent.ended()
  for (const run of [loud, silent]) assert.ok(!existsSync(join(place.runs, `${run.execution}.output`)))
})

test('many small writes of both streams are kept in order, within one wake-up a second', async () => {
  const run = serve.start({ arg: ['sh', '-c', 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done'] })
  const end = await run.ended()
  assert.equal(end.out, 16)
  assert.equal(run.kept().head.toString(), '1\n2\n3\n4\n5\n6\n7\n8\n')
  assert.equal(run.log('out').text, '1\n2\n3\n4\n5\n6\n7\n8\n')
})

test('files are appended to, and stdout and stderr may share one', async () => {
  const file = join(place.root, 'both')
  writeFileSync(file, 'before\n')
  const run = serve.start({
    arg: ['sh', '-c', 'echo out; echo err >&2'],
    stdout: `file:${file}`,
    stderr: `file:${file}`,
  })
  const end = await run.ended()
  assert.deepEqual([end.out, end.err, end.undelivered], [4, 4, 0])
  assert.deepEqual(readFileSync(file, 'utf8').split('\n').sort(), ['', 'before', 'err', 'out'])
  const null_ = serve.start({ arg: ['echo', 'x'], stdout: 'file:/dev/null' })
  assert.equal((await null_.ended()).undelivered, 0)
})

test('a job that closes or breaks its descriptors is still followed to its end', async () => {
  const run = serve.start({ arg: ['sh', '-c', 'echo first; exec 0<&- 1>&- 2>&-; sleep 0.2; exit 3'] })
  assert.equal((await run.ended()).exit, 3)
  assert.equal(run.log('out').text, 'first\n')
})

test('a krond that does not read blocks no command; dropped bytes are counted', async () => {
  const other = new Place()
  const stuck = new Serve(other)
  await stuck.ready()
  stuck.pause()
  const flood = stuck.start({ arg: lines(1_000_000) })
  const sibling = stuck.start({ arg: ['sh', '-c', `echo done > ${other.root}/sibling`] })
  await until('the sibling', () => existsSync(join(other.root, 'sibling')))
  await until('the end of the flood in its claim', () =>
    readFileSync(join(other.claims, flood.claim)).subarray(2048).toString().startsWith('exit 0\n'),
  )
  stuck.resume()
  const end = await flood.ended()
  assert.equal(end.out, 10_000_000)
  assert.ok(end.undelivered > 5_000_000)
  assert.equal((await sibling.ended()).exit, 0)
  await until('all output frames', () => {
    const { text, dropped } = flood.log('out')
    assert.ok(dropped <= end.undelivered)
    return text.length + end.undelivered === 10_000_000
  })
  await stuck.close()
  other.remove()
})

test('a stopped shim holds its own command at most', async () => {
  const held = serve.start({ arg: lines(100_000), stdout: 'discard' })
  const { shim } = await held.started()
  process.kill(shim, 'SIGSTOP')
  assert.equal((await serve.start({ arg: ['echo', 'x'] }).ended()).exit, 0)
  process.kill(shim, 'SIGCONT')
  assert.equal((await held.ended()).out, 1_000_000)
})

const skip = !isRoot && 'needs root'

test('a full disk blocks nobody; lost bytes are counted', {
  skip,
}, async () => {
  const other = new Place()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', other.runs])
  try {
    const full = new Serve(other)
    await full.ready()
    writeFileSync(join(other.runs, 'ballast'), Buffer.alloc(60 * 1024))
    const run = full.start({ arg: lines(20_000), stdout: `file:${other.runs}/copy` })
    const end = await run.ended()
    assert.equal(end.exit, 0)
    assert.equal(end.out, 200_000)
    assert.ok(end.undelivered > 0 && end.dropped > 0)
    assert.equal(run.kept().gap, end.dropped)
    const { shim } = await run.started()
    writeFileSync(join(other.runs, 'ballast'), '')
    await until('the shim to end', () => !alive(shim))
    await full.close()
  } finally {
    execFileSync('umount', ['-l', other.runs])
    other.remove()
  }
})

test('a .end file that does not fit is written as soon as there is room', { skip }, async () => {
  const other = new Place()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', other.runs])
  try {
    const first = new Serve(other)
    const run = first.start({ arg: ['sh', '-c', 'sleep 0.5; exit 4'] })
    const { shim } = await run.started()
    await first.close()
    try {
      writeFileSync(join(other.runs, 'ballast'), Buffer.alloc(64 * 1024))
    } catch {}
    await until('the end in the claim', () =>
      readFileSync(join(other.claims, run.claim)).subarray(2048).toString().startsWith('exit 4\n'),
    )
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.ok(alive(shim), 'the shim stays')
    assert.ok(!existsSync(join(other.runs, `${run.execution}.end`)))
    writeFileSync(join(other.runs, 'ballast'), '')
    await until('the shim to end', () => !alive(shim))
    assert.match(readFileSync(join(other.runs, `${run.execution}.end`), 'utf8'), /\nexit 4\n/)
  } finally {
    execFileSync('umount', ['-l', other.runs])
    other.remove()
  }
})

test('a runs directory that was removed does not hold the shim', async () => {
  const other = new Place()
  const first = new Serve(other)
  const { shim } = await first.start({ arg: ['sh', '-c', 'sleep 0.3; echo x'] }).started()
  await first.close()
  other.remove()
  await until('the shim to end', () => !alive(shim))
})

test('a full claims directory refuses the start and leaves no claim', { skip }, async () => {
  const other = new Place()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', other.claims])
  try {
    const full = new Serve(other)
    const runs = [1, 2, 3, 4].map(() => full.start({ arg: ['sleep', '0.3'] }))
    const answers = await Promise.all(runs.map(run => run.answer('started', 'refused')))
    const refused = answers.filter(frame => frame.kind === 'refused')
    assert.ok(refused.length > 0)
    for (const frame of refused) assert.deepEqual(frame.fields.slice(1, 3), ['claim', '28'])
    assert.equal(other.claimNames().length, 4 - refused.length)
    await full.close()
  } finally {
    execFileSync('umount', ['-l', other.claims])
    other.remove()
  }
})

test('syslog gets one datagram per line, and a missing log is counted', { skip }, async () => {
  const other = new Place()
  // An own /dev with our socket, in a mount namespace of its own.
  const sockets = join(other.root, 'sock')
  mkdirSync(sockets)
  const command = (argv: string[]): string[] => [
    'unshare',
    '-m',
    'sh',
    '-c',
    `mkdir -p ${other.root}/newdev && mount -t tmpfs tmpfs ${other.root}/newdev && touch ${other.root}/newdev/null && mount --bind /dev/null ${other.root}/newdev/null && ln -s ${sockets}/log ${other.root}/newdev/log && mount --rbind ${other.root}/newdev /dev && exec "$@"`,
    'sh',
    ...argv,
  ]
  const logged = new Serve(other, { command })
  await logged.ready()
  const without = logged.start({ arg: ['echo', 'nobody listens'], stdout: 'syslog' })
  assert.equal((await without.ended()).undelivered, 14)

  const received: string[] = []
  const daemon = spawn(
    'python3',
    [
      '-c',
      `import socket,sys\ns=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM)\ns.bind(${JSON.stringify(`${sockets}/log`)})\nprint("ready",flush=True)\nwhile True: print(repr(s.recv(9000).decode()),flush=True)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let text = ''
  daemon.stdout.on('data', data => {
    text += data
  })
  await until('the log daemon', () => text.includes('ready'))
  const long = 'x'.repeat(1500)
  const run = logged.start({
    job: 'nightly',
    arg: ['sh', '-c', `echo one; echo two; echo three >&2; echo ${long}; printf unended`],
    stdout: 'syslog',
    stderr: 'syslog',
  })
  const { pid } = await run.started()
  const end = await run.ended()
  assert.equal(end.undelivered, 0)
  await until('six datagrams', () => text.trim().split('\n').length >= 7)
  received.push(
    ...text
      .trim()
      .split('\n')
      .slice(1)
      .map(line => line.slice(1, -1)),
  )
  assert.deepEqual(
    received.sort(),
    [
      `<12>nightly[${pid}]: three`,
      `<14>nightly[${pid}]: ${'x'.repeat(1024)}`,
      `<14>nightly[${pid}]: ${'x'.repeat(476)}`,
      `<14>nightly[${pid}]: one`,
      `<14>nightly[${pid}]: two`,
      `<14>nightly[${pid}]: unended`,
    ].sort(),
  )
  daemon.kill()
  await logged.close()
  other.remove()
})
