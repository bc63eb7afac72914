import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { decide, REASON_CODES } from '@kron/core'
import type { FeedEvent, OutcomePage, RunningPage, RunningRecord } from '@kron/host/api'
import { WatchedMachine } from '@kron/testkit/krond/http/watched-machine'
import { stateCorrupt } from '../log/daemon-events.ts'
import { fieldOf, warned } from '../log/event.ts'
import { outputLost } from '../log/execution-events.ts'
import { queued } from '../log/scheduling-events.ts'
import { publicReason } from './outcome-record.ts'
import { Token } from './token.ts'

const SECRET = 'correct-horse-battery-staple'
const LINES = ['* * * * * name=often command=/bin/true']
const closing: (() => Promise<void> | void)[] = []
after(async () => {
  for (const close of closing) await close()
})

async function watch(options: ConstructorParameters<typeof WatchedMachine>[1] = {}): Promise<WatchedMachine> {
  const watched = new WatchedMachine('2026-03-01T10:00:30Z', options)
  closing.push(() => watched.close())
  await watched.boot(LINES)
  return watched
}

class Client {
  text = ''
  status = 0
  ended = false
  #response: IncomingMessage | undefined
  readonly #waiting = new Set<() => void>()

  constructor(port: number, lastEventId?: string, token: Readonly<Record<string, string>> = {}) {
    const headers = { ...token, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }
    get({ host: '127.0.0.1', port, path: '/api/v1/events', headers, agent: false }, response => {
      this.#response = response
      this.status = response.statusCode!
      response.setEncoding('utf8')
      response.on('data', chunk => {
        this.text += chunk
        this.#look()
      })
      response.on('close', () => {
        this.ended = true
        this.#look()
      })
      this.#look()
    }).on('error', () => {
      this.ended = true
      this.#look()
    })
    closing.unshift(() => this.leave())
  }

  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.*)\n/gm)].map(match => match[1]!)
  }

  get messages(): FeedEvent[] {
    return [...this.text.matchAll(/^data: (.*)\n/gm)].map(match => JSON.parse(match[1]!))
  }

  get events(): string[] {
    return this.messages.map(each => each.event)
  }

  leave(): void {
    this.#response?.destroy()
  }

  async until(met: (client: Client) => boolean): Promise<void> {
    while (!met(this)) await new Promise<void>(resolve => this.#waiting.add(resolve))
  }

  #look(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

test('whoever watches is told what happens, in order', async () => {
  const watched = await watch()
  const client = new Client(watched.port)
  await client.until(each => each.text.includes('event: reset'))
  await watched.run(60)
  await client.until(each => each.events.includes('finished'))
  assert.deepEqual(client.events.filter(Boolean), ['decision', 'started', 'finished'])
})

test('a client that comes back is told what it missed, and nothing twice', async () => {
  const watched = await watch()
  const first = new Client(watched.port)
  await first.until(each => each.text.includes('event: reset'))
  await watched.run(60)
  await first.until(each => each.events.includes('finished'))
  first.leave()
  await watched.run(60)
  const second = new Client(watched.port, first.ids.at(-1))
  await second.until(each => each.events.includes('finished'))
  assert.deepEqual(second.events, ['decision', 'started', 'finished'])
  assert.ok(!second.text.includes('event: reset'))
})

test('one that knows another daemon, or nonsense, must look anew', async () => {
  const watched = await watch()
  for (const id of ['0123456789ab.7', 'nonsense', '', `${watched.port}.-1`]) {
    const client = new Client(watched.port, id)
    await client.until(each => each.text.includes('event: reset'))
  }
})

test('one that missed too much must look anew', async () => {
  const watched = await watch()
  const first = new Client(watched.port)
  await first.until(each => each.ids.length > 0)
  first.leave()
  for (let i = 0; i < 3_000; i++) watched.service.observe(warned('listen', `${i}`))
  const second = new Client(watched.port, first.ids[0])
  await second.until(each => each.text.includes('event: reset'))
})

test('the number of watchers is bounded', async () => {
  const watched = await watch({ limits: { feedClients: 3, rate: 1_000 } })
  const clients = Array.from({ length: 12 }, () => new Client(watched.port))
  await Promise.all(clients.map(each => each.until(client => client.status !== 0)))
  assert.equal(clients.filter(each => each.status === 200).length, 3)
  assert.equal(clients.filter(each => each.status === 503).length, 9)
  clients.find(each => each.status === 200)!.leave()
  for (;;) {
    const next = new Client(watched.port)
    await next.until(client => client.status !== 0)
    if (next.status === 200) break
  }
})

test('when krond stops, the feed ends', async () => {
  const watched = await watch()
  const client = new Client(watched.port)
  await client.until(each => each.status === 200)
  watched.service.close()
  await client.until(each => each.ended)
})

for (const [viewer, token] of Object.entries({
  anybody: {},
  'a client with the token': { authorization: `Bearer ${SECRET}` },
}))
  test(`the feed sends ${viewer} the records that the API answers`, async () => {
    const watched = await watch({ token: new Token(SECRET), isTokenRequired: false })
    const client = new Client(watched.port, undefined, token)
    await client.until(each => each.text.includes('event: reset'))
    const request = { requestId: 'request-1', identity: '/jobs.kron:often', user: 'ada' }
    void watched.machine.daemon!.actions.trigger(request)
    const running: RunningRecord[] = []
    while (client.events.filter(each => each === 'finished').length < 2) {
      await watched.run(client.events.includes('finished') ? 1 : 0.1)
      const page = (await watched.get('/api/v1/running', token)).json<RunningPage>()
      for (const run of page.running)
        if (!running.some(each => each.executionId === run.executionId)) running.push(run)
    }
    const { outcomes } = (await watched.get('/api/v1/history', token)).json<OutcomePage>()
    assert.deepEqual(
      outcomes.map(each => each.trigger),
      ['schedule', 'manual'],
    )
    const messages = client.messages
    assert.deepEqual(
      messages.flatMap(each => each.running_record ?? []),
      running,
    )
    assert.deepEqual(messages.flatMap(each => each.outcome_record ?? []).reverse(), outcomes)
  })

test('a feed without a token does not tell who asked for a manual run', async () => {
  const watched = await watch()
  const client = new Client(watched.port)
  await client.until(each => each.text.includes('event: reset'))
  const request = { requestId: 'request-1', identity: '/jobs.kron:often', user: 'ada' }
  void watched.machine.daemon!.actions.trigger(request)
  await watched.run(2)
  await client.until(each => each.events.includes('finished'))
  assert.ok(watched.machine.events.some(each => fieldOf(each, 'user') === 'ada'))
  assert.doesNotMatch(client.text, /ada/)
})

test('a feed without a token tells neither who asked for a run whose output was lost, nor where a corrupt state is kept', async () => {
  const watched = await watch()
  const client = new Client(watched.port)
  await client.until(each => each.text.includes('event: reset'))
  const entry = watched.machine.daemon!.driver.jobs.entry(0)!
  const run = { id: 'run-1', slot: 0, entry, periodId: '', chosenTime: '', seedHash: '', pid: 7 }
  const process = { processStart: 1, shimPid: 6, startedAt: 0, adopted: false }
  watched.service.observe(outputLost({ ...run, ...process, user: 'ada' }, 5))
  watched.service.observe(stateCorrupt(entry.identity, '/var/lib/krond/secret.json.corrupt'))
  await client.until(each => each.events.includes('state_corrupt'))
  assert.ok(client.events.includes('output_lost'))
  assert.doesNotMatch(client.text, /ada|secret/)
})

test('everybody may read why a start waits', async () => {
  const watched = await watch()
  const client = new Client(watched.port)
  await client.until(each => each.text.includes('event: reset'))
  const job = watched.machine.daemon!.driver.jobs.entry(0)!
  const decision = decide(job, Date.parse('2026-03-01T10:01:00Z') / 1_000)
  for (const reason of ['max_concurrent', 'disk'] as const)
    watched.service.observe(queued(decision, 1, reason))
  await client.until(each => each.events.filter(name => name === 'queued').length === 2)
  assert.deepEqual(
    [...client.text.matchAll(/"reason":"(\w+)"/g)].map(match => match[1]),
    ['max_concurrent', 'disk'],
  )
})

test('everybody may read the codes of reasons, but not the message of a failed start', () => {
  assert.ok(REASON_CODES.length > 10)
  for (const code of ['', ...REASON_CODES]) assert.equal(publicReason(code), code)
  assert.equal(publicReason('cannot run /srv/secret: no such file'), 'not_started')
})
