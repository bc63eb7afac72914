/** The outbox of the real daemon, killed at every step: write, send, mark. */
import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

/** Fails in every period, and tells a webhook and a mail address. */
const failing = (krond: Krond, url: string): string =>
  krond.job(
    '* * * * * @policy(deadline=10m)',
    'a',
    `${krond.says}; echo broken; exit 1`,
    `notify=webhook:${url}/,mail:ops@example.org`,
  )

interface Delivery {
  readonly key: string
  readonly period: string
}

/** A receiver on loopback; `answer` says how it treats each request. */
async function receiver(t: TestContext, answer: (response: ServerResponse, count: number) => void) {
  const received: Delivery[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(JSON.parse(body) as Delivery)
    answer(response, received.length)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** Keeps every mail; writes the key and the period of each into `mails`. */
function stubSendmail(krond: Krond): string {
  const path = `${krond.directory}/sendmail`
  const keep = `awk '/^X-Kron-Key:/ {k=$2} /^period/ {p=$2} END {print k, p}' >> ${krond.directory}/mails`
  writeFileSync(path, `#!/bin/sh\n${keep}\n`)
  chmodSync(path, 0o755)
  return path
}

/** Waits for the programs that a killed daemon left behind: they still write into the directory. */
async function settled(krond: Krond): Promise<void> {
  const before = krond.read('mails')
  await new Promise(resolve => setTimeout(resolve, 300))
  if (krond.read('mails') !== before) await settled(krond)
}

const mailsOf = (krond: Krond): Delivery[] =>
  krond
    .read('mails')
    .split('\n')
    .filter(Boolean)
    .map(line => ({ key: line.split(' ')[0]!, period: line.split(' ')[1]! }))

/** The failed periods in the durable state. */
async function failures(krond: Krond): Promise<readonly string[]> {
  const state = await krond.state('a')
  return state!.History.filter(each => each.ExitCode === 1).map(each => each.PeriodID)
}

/** Waits for a message about each failure; a receiver that drops repeated keys has each exactly once. */
async function everyFailureToldOnce(
  krond: Krond,
  wanted: readonly string[],
  deliveries: () => readonly Delivery[],
  what: string,
): Promise<void> {
  const periods = (): Map<string, Set<string>> => {
    const keys = new Map<string, Set<string>>()
    for (const { key, period } of deliveries()) keys.set(period, (keys.get(period) ?? new Set()).add(key))
    return keys
  }
  await krond.eventually(() => wanted.every(each => periods().has(each)), `${what} about each failure`)
  for (const [period, keys] of periods()) assert.equal(keys.size, 1, `${what} of ${period}`)
  const allKeys = [...periods().values()].flatMap(keys => [...keys])
  assert.equal(new Set(allKeys).size, allKeys.length, 'a key names one period')
}

test('kill -9 before and after every operation of the outbox: every failure is told, each key once', async t => {
  let killed = 0
  let repeats = 0
  for (let step = 1; ; step++) {
    const before = killed
    for (const after of [false, true]) {
      const krond = new Krond(t, { speed: 60 })
      const { url, received } = await receiver(t, response => void response.end())
      krond.write([failing(krond, url)])
      const flags = ['--sendmail', stubSendmail(krond)]
      await krond.start({ flags, circumstances: { death: { at: step, after, within: '/outbox' } } })
      await krond.eventually(() => krond.isDead || krond.events('notified').length >= 6, 'six messages')
      if (krond.isDead) killed++
      else await krond.stop('SIGKILL')
      await krond.start({ flags })
      const wanted = await failures(krond)
      await everyFailureToldOnce(krond, wanted, () => received, 'a webhook')
      await everyFailureToldOnce(krond, wanted, () => mailsOf(krond), 'a mail')
      await krond.stop()
      await settled(krond)
      repeats += received.length - new Set(received.map(each => each.key)).size
      krond.discard()
    }
    if (killed === before) break
  }
  t.diagnostic(`${killed} kills; ${repeats} messages came twice, with the same key`)
  assert.ok(killed >= 8, `${killed} kills`)
})

test('kill -9 while a target has the message: before, while and after it answers', async t => {
  const krond = new Krond(t, { speed: 60 })
  let isHostile = true
  const { url, received } = await receiver(t, (response, count) => {
    const kill = (): void => void (isHostile && krond.signal('SIGKILL'))
    if (!isHostile) return void response.end()
    switch (count % 6) {
      case 0:
        return kill()
      case 1:
        return void response.writeHead(500).end(() => kill())
      case 2:
        return void response.end(() => kill())
      case 3:
        return void setTimeout(() => response.end(() => kill()), 700)
      case 4:
        response.writeHead(200).write('a part of the answer')
        return void setTimeout(kill, 50)
      case 5:
        return void setTimeout(kill, 400)
    }
  })
  krond.write([failing(krond, url), krond.job('* * * * * @policy(deadline=10m)', 'other', 'true')])
  const flags = ['--sendmail', stubSendmail(krond)]
  const KILLS = 12
  for (let kills = 0; kills < KILLS; kills++) {
    await krond.start({ flags })
    await krond.eventually(() => krond.isDead, 'the receiver to kill the daemon')
  }
  isHostile = false
  await krond.start({ flags })
  const wanted = await failures(krond)
  await everyFailureToldOnce(krond, wanted, () => received, 'a webhook')
  await everyFailureToldOnce(krond, wanted, () => mailsOf(krond), 'a mail')
  await krond.stop()
  t.diagnostic(`${KILLS} kills, ${wanted.length} failures, ${received.length} requests, all told`)
})

test('targets that hang, fail and answer slowly hold up no start and no reload', async t => {
  const krond = new Krond(t, { speed: 60 })
  const hanging = await receiver(t, () => {})
  const failing500 = await receiver(t, response => void response.writeHead(500).end())
  const slow = await receiver(t, response => void setTimeout(() => response.end(), 3_000))
  const targets = [hanging, failing500, slow].map(({ url }) => `webhook:${url}/`).join(',')
  const sendmail = `${krond.directory}/sendmail`
  writeFileSync(sendmail, '#!/bin/sh\nexec sleep 60\n')
  chmodSync(sendmail, 0o755)
  const EVERY = '* * * * * @policy(deadline=50s)'
  const quiet = (name: string): string => krond.job(EVERY, name)
  krond.write([
    krond.job(EVERY, 'fails', 'exit 1', `notify=${targets},mail:ops@example.org`),
    ...Array.from({ length: 20 }, (_, i) => quiet(`other-${i}`)),
  ])
  await krond.start({ flags: ['--sendmail', sendmail] })
  await krond.eventually(() => hanging.received.length > 0, 'the hanging target')
  const from = krond.log.length
  await krond.eventually(() => krond.events('started', 'other-0').length >= 10, 'ten periods of the others')
  const reload = krond.command('reload')
  assert.equal(reload.code, 0, reload.output)
  assert.equal(hanging.received.length, 1, 'the first message still hangs')
  assert.equal(krond.events('missed_deadline').length, 0)
  const late = krond.log
    .slice(from)
    .flatMap(line => (line.event === 'started' ? [Number(line['lateness_ms']) / 60] : []))
  late.sort((x, y) => x - y)
  t.diagnostic(
    `${late.length} starts beside hanging targets: median ${late[late.length >> 1]!.toFixed(0)} ms late, at most ${late.at(-1)!.toFixed(0)} ms`,
  )
  await krond.stop('SIGKILL')
  assert.ok(readFileSync(`${krond.directory}/ran`, 'utf8').length > 0)
})
