/** Attacks by another user of the machine on a daemon that serves on loopback. Each of these attacks once succeeded. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import { ask } from '@kron/testkit/krond/http/watched-machine'

const portOf = (krond: Krond): number =>
  Number(/:(\d+)\/$/.exec(String(krond.log.findLast(each => each.event === 'listening')?.['address']))?.[1])

/** Collects everything that the open feed sends from now on. */
async function listenTo(port: number): Promise<() => string> {
  let heard = ''
  const outgoing = request({ host: '127.0.0.1', port, path: '/api/v1/events' }).end()
  const [response] = await once(outgoing, 'response')
  response.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  response.on('error', () => {})
  return () => heard
}

test('mistakes in a private job file are told by place and kind, never by text', async t => {
  const krond = new Krond(t)
  krond.write(['@daily name=a command=/bin/true'])
  chmodSync(krond.jobFile, 0o600)
  await krond.start({ flags: ['--listen', '127.0.0.1:0'] })
  const heard = await listenTo(portOf(krond))
  const secret = 'pa55word'
  krond.write([
    `@daily name=a command="/bin/db --password ${secret}`,
    `@daily name=b passwrd=${secret} command=/bin/true`,
    `@${secret} name=c command=/bin/true`,
    `@daily name=d env=${secret} command=/bin/true`,
    `@daily @tz(${secret}) name=e command=/bin/true`,
    `@daily name=f user=${secret} command=/bin/true`,
    secret,
  ])
  krond.signal('SIGHUP')
  await krond.until(({ event }) => event === 'reload', 'the refused reload')
  await krond.eventually(() => heard().includes('"event":"reload"'), 'the feed to tell of it')
  assert.doesNotMatch(heard(), new RegExp(secret), 'the feed holds text of the file')
  assert.doesNotMatch(krond.read('log'), new RegExp(secret), 'the log holds text of the file')
  const mistakes = krond.log.filter(each => each.event === 'error')
  assert.ok(mistakes.length >= 6, `${mistakes.length} mistakes were told`)
  for (const mistake of mistakes) {
    assert.equal(mistake['file'], krond.jobFile)
    assert.ok(Number(mistake['line']) >= 1 && Number(mistake['column']) >= 1)
    assert.match(String(mistake['error_type']), /^(Configuration|Validation)Error$/)
    assert.match(String(mistake['hint']), /krontab lint --file/)
  }
  assert.deepEqual(
    [...new Set(mistakes.map(each => each['line']))].sort(),
    [1, 2, 3, 4, 5, 6, 7],
    'every line with a mistake is named',
  )
})

test('commands, arguments and environment are not told over an open port', async t => {
  const krond = new Krond(t)
  krond.write(['@daily name=a cwd=/srv/hidden env=TOPSECRET=1 command="/opt/hidden/bin --key pa55word"'])
  await krond.start({ flags: ['--listen', '127.0.0.1:0'] })
  const { status, text } = await ask({
    port: portOf(krond),
    path: `/api/v1/jobs/${encodeURIComponent(krond.identity('a'))}`,
  })
  assert.equal(status, 200)
  assert.doesNotMatch(text, /hidden|pa55word|TOPSECRET/)
})

test('a start that fails tells an open port nothing of the command', async t => {
  const krond = new Krond(t, { speed: 60 })
  krond.write(['* * * * * name=a command="/opt/hidden/bin --key pa55word"'])
  await krond.start({ flags: ['--listen', '127.0.0.1:0'] })
  const heard = await listenTo(portOf(krond))
  await krond.until(({ event }) => event === 'error', 'the start to fail')
  await krond.eventually(() => heard().includes('"event":"error"'), 'the feed to tell of it')
  assert.doesNotMatch(heard(), /hidden|pa55word/)
})

test('a port that another process holds stops no job, and is taken once it is free', async t => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  t.after(() => squatter.close())
  const address = squatter.address() as { port: number }
  const krond = new Krond(t, { speed: 60 })
  krond.write([krond.job('* * * * *', 'a')])
  await krond.start({ flags: ['--listen', `127.0.0.1:${address.port}`] })
  await krond.eventually(() => krond.ran().length >= 2, 'jobs to run all the same')
  const warning = krond.log.find(each => each.event === 'warning' && each['operation'] === 'listen')
  assert.equal(warning?.level, 'warn')
  assert.match(String(warning?.['message']), /EADDRINUSE/)
  const before = krond.status()
  assert.deepEqual(before.listener, {
    address: `http://127.0.0.1:${address.port}/`,
    listening: false,
    problem: before.listener!.problem,
  })
  assert.match(before.listener!.problem!, /EADDRINUSE/)
  squatter.close()
  await krond.until(({ event }) => event === 'listening', 'krond to take the port')
  const after = krond.status()
  assert.equal(after.listener?.listening, true)
  const { text } = await ask({ port: address.port, path: '/metrics' })
  assert.match(text, /^kron_listen_failures_total [1-9]/m)
})

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

/** Connects as fast as it can as another user: sends an expensive request, or sends nothing and stays connected. */
const FLOOD = `
const net = require('node:net')
const [port, how] = process.argv.slice(1)
let made = 0
setInterval(() => {
  for (let i = 0; i < 10; i++) {
    const socket = net.createConnection(Number(port), '127.0.0.1', () => {
      if (++made === 300) process.stdout.write('flowing')
      if (how === 'asks') socket.write('GET /api/v1/plan?count=200 HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
    })
    socket.on('error', () => {}).resume()
  }
}, 20)`

for (const how of ['asks', 'stays'] as const) {
  const skip = isRoot ? false : 'needs root, to flood as another user'
  test(`a flood of connections of one user that ${how} leaves another user answered`, { skip }, async t => {
    const krond = new Krond(t)
    krond.write(['* * * * * name=a command=/bin/true'])
    await krond.start({ flags: ['--listen', '127.0.0.1:0'] })
    const port = portOf(krond)
    const flood: ChildProcess = spawn(process.execPath, ['-e', FLOOD, String(port), how], {
      uid: NOBODY,
      gid: NOBODY,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    t.after(() => flood.kill('SIGKILL'))
    await once(flood.stdout!, 'data')
    for (let i = 0; i < 20; i++) {
      const { status } = await ask({ port, path: '/api/v1/status' })
      assert.equal(status, 200, `request ${i}`)
    }
  })
}
