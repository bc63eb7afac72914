import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { alive, closeAll, encode, isRoot, Place, Serve, until } from './driver.ts'

let place: Place
before(() => {
  place = new Place()
})
afterEach(closeAll)
after(() => place.remove())

test('serve ends when krond closes descriptor 3, and its runs go on', async () => {
  const serve = new Serve(place)
  await serve.ready()
  const run = serve.start({ arg: ['sleep', '0.5'] })
  const { pid } = await run.started()
  await serve.close()
  assert.equal((await serve.exited).code, 0)
  assert.ok(alive(pid))
})

test('a second serve waits for the lock and says so, or gives up as busy', async () => {
  const first = new Serve(place)
  await first.ready()
  const impatient = new Serve(place, { wait: 100 })
  assert.deepEqual((await impatient.ready()).fields.slice(0, 2), ['1', 'busy'])
  assert.deepEqual(
    impatient.frames.map(frame => frame.kind),
    ['waiting', 'hello'],
  )
  assert.equal((await impatient.exited).code, 3)
  const patient = new Serve(place, { wait: 30_000 })
  await patient.frame('waiting')
  await first.close()
  assert.deepEqual((await patient.ready()).fields.slice(0, 2), ['1', 'locked'])
})

test('hello tells the time between the clocks of the system, so that krond can convert', async () => {
  const serve = new Serve(place)
  const offset = BigInt((await serve.ready()).fields[2]!)
  const boot =
    BigInt(Math.round(Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000)) * 1_000_000n
  const difference = boot - (process.hrtime.bigint() + offset)
  assert.ok(difference < 1_000_000_000n && difference > -1_000_000_000n, `${difference} ns`)
})

test('a command without its own directory and umask has those of krond', async () => {
  const serve = new Serve(place, {
    command: argv => ['sh', '-c', `cd ${place.runs} && umask 013 && exec "$@"`, 'sh', ...argv],
  })
  await serve.ready()
  const run = serve.start({ arg: ['sh', '-c', 'pwd; umask'] })
  await run.ended()
  assert.equal(run.log('out').text, `${place.runs}\n0013\n`)
})

test('runs do not hold the lock', async () => {
  const first = new Serve(place)
  const run = first.start({ arg: ['sleep', '2'] })
  await run.started()
  await first.close()
  const second = new Serve(place)
  assert.deepEqual((await second.ready()).fields.slice(0, 2), ['1', 'locked'])
})

test('serve ignores the signals a terminal or a service manager sends to a group', async () => {
  const serve = new Serve(place)
  await serve.ready()
  for (const signal of ['SIGHUP', 'SIGPIPE', 'SIGINT', 'SIGTERM'] as const)
    process.kill(serve.process.pid!, signal)
  assert.equal((await serve.start({ arg: 'true' }).ended()).exit, 0)
  const session = readFileSync(`/proc/${serve.process.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[3]
  assert.equal(Number(session), serve.process.pid)
})

const bad: [string, Buffer][] = [
  ['a length of zero', Buffer.from([0, 0, 0, 0])],
  ['a length above 4 MiB', Buffer.from([1, 0, 64, 0])],
  ['a field without its NUL', Buffer.from([1, 0, 0, 0, 65])],
  ['an unknown kind', encode(['dance'])],
  ['a start without a ref', encode(['start'])],
  ['a ref that is no number', encode(['start', 'x', 'claim'])],
  ['a ref of zero', encode(['follow', '0', 'claim'])],
  ['an order without a reason', encode(['end', '1', 'because', 'now'])],
]
for (const [title, bytes] of bad)
  test(`${title} ends serve with 2`, async () => {
    const serve = new Serve(place)
    await serve.ready()
    serve.write(bytes)
    assert.equal((await serve.exited).code, 2)
    assert.match(serve.stderr, /^kron-shim serve: bad frame/)
  })

test('frames may come in pieces of any size', async () => {
  const serve = new Serve(place)
  await serve.ready()
  const frame = encode(['start', '77', 'pieces', 'kron-run/1', 'execution=p', 'job=j', 'arg=true'])
  for (const byte of frame) {
    serve.write(Buffer.from([byte]))
    await new Promise(resolve => setImmediate(resolve))
  }
  await until('the end', () => serve.frames.find(one => one.kind === 'ended' && one.fields[0] === '77'))
})

test('a spec of 4 MiB passes; its standard input arrives whole', async () => {
  const serve = new Serve(place)
  await serve.ready()
  const run = serve.start({ arg: ['md5sum'], stdin: 'k'.repeat(4_000_000) })
  await run.ended()
  const expected = execFileSync('md5sum', { input: 'k'.repeat(4_000_000), encoding: 'utf8' })
  assert.equal(run.log('out').text, expected)
})

test('claims are synced when asked', async () => {
  const serve = new Serve(place, { sync: true })
  await serve.ready()
  assert.equal((await serve.start({ arg: 'true' }).ended()).exit, 0)
})

/** A client of the control socket. */
class Peer {
  readonly socket: Socket
  text = ''
  closed = false
  constructor() {
    this.socket = createConnection(place.control)
    this.socket.on('data', data => {
      this.text += data
    })
    this.socket.on('close', () => {
      this.closed = true
    })
    this.socket.on('error', () => {})
  }
}

const controlled = async (): Promise<Serve> => {
  const serve = new Serve(place, { control: true })
  await serve.ready()
  await until('the control socket', () => existsSync(place.control))
  return serve
}

test('a request has the uid and pid of its peer, and gets its answer in parts', async () => {
  const serve = await controlled()
  assert.equal(statSync(place.control).mode & 0o777, 0o666)
  const peer = new Peer()
  peer.socket.write('sta')
  await new Promise(resolve => setTimeout(resolve, 50))
  peer.socket.write('tus now\nignored')
  const request = await serve.frame('request')
  const [connection, uid, pid, text] = request.fields
  assert.deepEqual([uid, pid, text], [String(process.getuid!()), String(process.pid), 'status now'])
  serve.send('answer', connection!, 'more', 'one\n')
  serve.send('answer', connection!, 'last', 'two\n')
  await until('the answer', () => peer.closed)
  assert.equal(peer.text, 'one\ntwo\n')
})

test('a peer that hangs up is told to krond; one that only stops sending still gets its answer', async () => {
  const serve = await controlled()
  const peer = new Peer()
  peer.socket.write('a\n')
  const first = await serve.frame('request')
  peer.socket.destroy()
  assert.equal((await serve.frame('hangup')).fields[0], first.fields[0])
  serve.send('answer', first.fields[0]!, 'last', 'too late')
  const half = new Peer()
  half.socket.end('b\n')
  const second = await until(
    'the second request',
    () => serve.frames.filter(frame => frame.kind === 'request')[1],
  )
  serve.send('answer', second.fields[0]!, 'last', 'fine')
  await until('the answer', () => half.text === 'fine')
})

test('a slow peer is closed after five seconds, an endless or broken line at once', async () => {
  const serve = await controlled()
  const [silent, endless, broken] = [new Peer(), new Peer(), new Peer()]
  silent.socket.write('no end of line')
  endless.socket.write('x'.repeat(70_000))
  broken.socket.write('a\0b\n')
  await until('two closed', () => endless.closed && broken.closed)
  assert.ok(!silent.closed)
  await until('all closed', () => silent.closed)
  assert.ok(!serve.frames.some(frame => frame.kind === 'request'))
})

test('a peer that does not read 4 MiB is closed', async () => {
  const serve = await controlled()
  const peer = new Peer()
  peer.socket.pause()
  peer.socket.write('feed\n')
  const connection = (await serve.frame('request')).fields[0]!
  for (let i = 0; i < 10; i++) serve.send('answer', connection, 'more', 'x'.repeat(1_000_000))
  await serve.frame('hangup')
})

test('at most 64 connections at a time', async () => {
  await controlled()
  const peers = Array.from({ length: 70 }, () => new Peer())
  await until('six refused', () => peers.filter(peer => peer.closed).length === 6)
  for (const peer of peers) peer.socket.destroy()
})

test('at most 8 connections of one ordinary user, who cannot shut out root', {
  skip: !isRoot && 'needs root',
}, async () => {
  const serve = await controlled()
  execFileSync('chmod', ['755', place.root])
  const script = `
    const net = require('node:net'); let open = 0, closed = 0
    for (let i = 0; i < 12; i++) { const s = net.connect(process.argv[1]); s.on('error', () => {}); s.on('close', () => { closed++; if (closed === 4) console.log('four') }) }
    setTimeout(() => {}, 60000)`
  const user = spawn(process.execPath, ['-e', script, place.control], {
    uid: 54321,
    gid: 54321,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  user.stdout.on('data', data => {
    text += data
  })
  await until('four refused', () => text === 'four\n')
  const peer = new Peer()
  peer.socket.write('root\n')
  assert.equal((await serve.frame('request')).fields[1], '0')
  user.kill('SIGKILL')
  execFileSync('chmod', ['700', place.root])
})

test('the control socket is gone after an orderly end, and a successor replaces a stale one', async () => {
  const first = await controlled()
  first.process.kill('SIGKILL')
  await first.exited
  assert.ok(existsSync(place.control))
  const second = await controlled()
  const peer = new Peer()
  peer.socket.write('x\n')
  await second.frame('request')
  await second.close()
  assert.ok(!existsSync(place.control))
})

test('notify datagrams reach the service manager', async () => {
  const path = join(place.root, 'notify')
  const manager = spawn(
    'python3',
    [
      '-c',
      `import socket,struct
s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET,socket.SO_PASSCRED,1)
s.bind(${JSON.stringify(path)})
print("ready",flush=True)
text,extra,_,_=s.recvmsg(9000,64)
print(repr(text.decode()),"from",struct.unpack("3i",extra[0][2])[0],flush=True)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let text = ''
  manager.stdout.on('data', data => {
    text += data
  })
  await until('the manager', () => text.includes('ready'))
  const serve = new Serve(place, { env: { NOTIFY_SOCKET: path } })
  await serve.ready()
  serve.send('notify', 'READY=1\nSTATUS=3 jobs')
  // root speaks in the name of the daemon, which the service manager listens to.
  const sender = isRoot ? process.pid : serve.process.pid
  const said = await until('the datagram', () => /from \d+/.test(text) && text)
  assert.ok(said.includes(`'READY=1\\nSTATUS=3 jobs' from ${sender}\n`), said)
})

test('a serve short of processes starts the run when another has ended', {
  skip: !isRoot && 'needs root',
}, async () => {
  // root is bound by no nproc limit, so serve runs as a user of its own.
  const other = new Place()
  execFileSync('chown', ['-R', '54410:54410', other.root])
  execFileSync('chmod', ['755', other.root])
  const command = (argv: string[]): string[] => [
    'setpriv',
    '--reuid=54410',
    '--regid=54410',
    '--clear-groups',
    'prlimit',
    '--nproc=3',
    ...argv,
  ]
  const serve = new Serve(other, { command })
  await serve.ready()
  const first = serve.start({ arg: ['sleep', '0.5'] })
  await first.started()
  const second = serve.start({ arg: ['sh', '-c', 'exit 5'] })
  assert.equal((await second.ended()).exit, 5)
  const long = serve.start({ arg: ['sleep', '1.5'] })
  await long.started()
  const put = serve.start({ arg: 'true' })
  put.end('replaced', 'grace')
  assert.equal((await put.refused()).stage, 'killed')
  await long.ended()
  await serve.close()
  other.remove()
})
