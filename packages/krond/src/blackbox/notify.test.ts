import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import type { Message } from '../notify/message.ts'

const EVERY_MINUTE = '* * * * * @policy(deadline=10m)'

interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A receiver on loopback; `answer` says how it treats each request. */
async function receiver(
  t: TestContext,
  answer: (response: ServerResponse, count: number) => void = response => void response.end(),
): Promise<{ readonly url: string; readonly received: Received[]; readonly server: Server }> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ path: request.url ?? '', headers: request.headers, body })
    answer(response, received.length)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, server }
}

const messages = (received: readonly Received[]): Message[] =>
  received.map(({ body }) => JSON.parse(body) as Message)

function stubSendmail(krond: Krond): string {
  const path = `${krond.directory}/sendmail`
  writeFileSync(path, `#!/bin/sh\n(echo "args $*"; cat; echo =====) >> ${krond.directory}/mails\n`)
  chmodSync(path, 0o755)
  return path
}

test('a failure is told by mail, webhook and command, with its output and how to see more', async t => {
  const { url, received } = await receiver(t)
  const krond = new Krond(t, { speed: 60 })
  const command = `${krond.directory}/tell`
  writeFileSync(command, `#!/bin/sh\ncat >> ${krond.directory}/told\n`)
  chmodSync(command, 0o755)
  writeFileSync(`${krond.directory}/secret`, 'the secret of webhooks\n', { mode: 0o600 })
  const targets = `notify=mail:ops@example.org,webhook:${url}/hook,command:${command}`
  krond.write([
    krond.job(EVERY_MINUTE, 'import/flaky', 'echo "the server does not answer" >&2; exit 3', targets),
  ])
  const flags = ['--sendmail', stubSendmail(krond), '--notify-secret-file', `${krond.directory}/secret`]
  await krond.start({ flags })
  await krond.eventually(() => krond.events('notified').length >= 3, 'three targets')
  await krond.stop()
  const [{ headers, body, path }, message] = [received[0]!, messages(received)[0]!]
  assert.equal(path, '/hook')
  assert.equal(headers['idempotency-key'], message.key)
  const signature = createHmac('sha256', 'the secret of webhooks').update(body).digest('hex')
  assert.equal(headers['x-kron-signature'], `sha256=${signature}`)
  assert.deepEqual(
    [message.event, message.job, message.outcome, message.exitCode, message.outputTail],
    ['failed', 'import/flaky', 'failed', 3, 'the server does not answer\n'],
  )
  assert.equal(message.more, `krontab output ${krond.identity('import/flaky')} --period ${message.period}`)
  const mail = krond.read('mails').split('=====')[0]!
  assert.match(mail, /^args -t -oi\nTo: ops@example.org\nSubject: import\/flaky on \S+ failed: exit code 3\n/)
  assert.match(mail, new RegExp(`X-Kron-Key: ${message.key}`))
  assert.match(mail, /the server does not answer/)
  assert.equal(JSON.parse(krond.read('told').split('\n')[0]!).key, message.key)
  for (const { target } of krond.events('notified')) assert.doesNotMatch(String(target), /hook$/)
})

test('the first success after a failure is told once, and no other success', async t => {
  const { url, received } = await receiver(t)
  const krond = new Krond(t, { speed: 60 })
  const script = `${krond.says}; test $(wc -l < ${krond.directory}/ran) -ge 2`
  krond.write([krond.job(EVERY_MINUTE, 'a', script, `notify=webhook:${url}/`)])
  await krond.start()
  await krond.eventually(() => krond.events('finished').length >= 4 && received.length >= 2, 'four runs')
  await krond.stop()
  assert.deepEqual(
    messages(received).map(({ event }) => event),
    ['failed', 'recovered'],
  )
})

test('the output of every success is told, also if recoveries are told', async t => {
  const { url, received } = await receiver(t)
  const krond = new Krond(t, { speed: 60 })
  const script = `${krond.says}; echo run; test $(wc -l < ${krond.directory}/ran) -ne 2`
  krond.write([
    krond.job(EVERY_MINUTE, 'a', script, `notify=webhook:${url}/ notify_on=failed,recovered,output`),
  ])
  await krond.start()
  await krond.eventually(() => krond.events('finished').length >= 4 && received.length >= 4, 'four runs')
  await krond.stop()
  const told = messages(received).toSorted((a, b) => (a.period! < b.period! ? -1 : 1))
  assert.deepEqual(
    told.slice(0, 4).map(({ event }) => event),
    ['output', 'failed', 'recovered', 'output'],
  )
})

test('targets that fail, hang or answer slowly delay neither starts nor each other', async t => {
  const slow = await receiver(t, response => void setTimeout(() => response.end(), 1_500).unref())
  const hanging = await receiver(t, () => {})
  const failing = await receiver(t, response => void response.writeHead(500).end())
  const good = await receiver(t)
  const krond = new Krond(t, { speed: 60 })
  const targets = [slow, hanging, failing, good].map(({ url }) => `webhook:${url}/`).join(',')
  krond.write([
    krond.job(EVERY_MINUTE, 'fails', 'exit 1', `notify=${targets}`),
    krond.job(EVERY_MINUTE, 'other', krond.says),
  ])
  await krond.start()
  await krond.eventually(() => krond.events('started', 'other').length >= 4, 'starts of the other job')
  await krond.eventually(() => good.received.length >= 2, 'the good target')
  const reload = krond.command('reload')
  assert.equal(reload.code, 0, reload.output)
  // With a clock that runs 60 times as fast, one real millisecond counts as sixty.
  for (const { lateness_ms: lateness } of krond.events('started'))
    assert.ok(Number(lateness) < 60_000, `a start was ${lateness} ms late`)
  assert.ok(krond.events('notify_failed').length > 0)
  await krond.stop('SIGKILL')
})

test('kill -9 at any moment loses no failure, and each key is one message', async t => {
  let isDown = true
  const { url, received } = await receiver(t, response => {
    if (isDown) response.destroy()
    else response.end()
  })
  const krond = new Krond(t, { speed: 60 })
  krond.write([krond.job(EVERY_MINUTE, 'a', `${krond.says}; exit 1`, `notify=webhook:${url}/`)])
  // The daemon is killed soon after an end: before, while and after the notice is written to the outbox.
  for (const pause of [0, 5, 20, 80]) {
    await krond.start()
    const from = krond.log.length
    await krond.until(({ event }) => event === 'finished', 'an end', from)
    await new Promise(resolve => setTimeout(resolve, pause))
    await krond.stop('SIGKILL')
  }
  isDown = false
  await krond.start()
  const failed = async (): Promise<Set<string>> => {
    const state = await krond.state('a')
    return new Set(state!.History.filter(each => each.ExitCode === 1).map(each => each.PeriodID))
  }
  const wanted = await failed()
  assert.ok(wanted.size >= 4)
  const told = (): Set<string> => new Set(messages(received).map(({ period }) => period!))
  await krond.eventually(() => [...wanted].every(period => told().has(period)), 'a message for each failure')
  await krond.stop()
  const keys = new Map<string, string>()
  for (const { key, period } of messages(received)) {
    assert.equal(keys.get(key) ?? period, period, 'a key names one period')
    keys.set(key, period!)
  }
})

test('heartbeats tell start, success and failure, and when the next period starts at the latest', async t => {
  const { url, received } = await receiver(t)
  const krond = new Krond(t, { speed: 60 })
  const script = `${krond.says}; test $(wc -l < ${krond.directory}/ran) -ge 2`
  krond.write([krond.job(EVERY_MINUTE, 'a', script, `ping=${url}/uuid`)])
  await krond.start()
  await krond.eventually(() => received.length >= 4, 'four heartbeats')
  await krond.stop()
  assert.deepEqual(
    received.slice(0, 4).map(({ path }) => path),
    ['/uuid/start', '/uuid/fail', '/uuid/start', '/uuid'],
  )
  const { next, period } = JSON.parse(received[0]!.body) as { period: string; next: Record<string, string> }
  assert.ok(next['period']! > period)
  assert.equal(Date.parse(next['lastStart']!) - Date.parse(next['chosenTime']!), 600_000)
})

test('a test sends one message of each event and says which target did not take it', async t => {
  const { url, received } = await receiver(t)
  const krond = new Krond(t)
  const targets = `notify=webhook:${url}/,command:/nowhere/tell`
  krond.write([krond.job('0 0 1 1 *', 'a', 'true', targets), krond.job('0 0 1 1 *', 'b', 'true')])
  await krond.start()
  const { code, out } = await krond.krontabMeanwhile(['notify', 'test', 'a'])
  assert.equal(code, 1)
  assert.match(out, /recovered +command:\/nowhere\/tell +\/nowhere\/tell cannot be run/)
  assert.deepEqual(
    messages(received).map(({ event, isTest }) => [event, isTest]),
    ['failed', 'missed', 'unschedulable', 'timed_out', 'recovered', 'output'].map(event => [event, true]),
  )
  assert.match(krond.krontab(['notify', 'test', 'b']).err, /b tells nobody/)
  await krond.stop()
})
