import assert from 'node:assert/strict'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { OpenStreams } from './open-streams.ts'

const open: { close(): void }[] = []
after(() => {
  for (const each of open) each.close()
})

/** The request and the answer of a client that has gone before anything was sent to it. */
async function abandoned(): Promise<{ request: IncomingMessage; response: ServerResponse }> {
  const { promise, resolve } = Promise.withResolvers<{ request: IncomingMessage; response: ServerResponse }>()
  const server = createServer((request, response) => {
    response.on('close', () => resolve({ request, response }))
    client.destroy()
  })
  open.push(server)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false })
  client.on('error', () => {})
  return promise
}

const viewer = { kind: 'operator', name: 'token', uid: null, from: 'here' } as const

test('a client that goes while its run is looked up takes no place, and nobody reads for it', async () => {
  const streams = new OpenStreams(2)
  let reads = 0
  const run = {
    runId: 'r',
    isRunning: () => true,
    read: () => {
      reads++
      return undefined
    },
  }
  for (let i = 0; i < 3; i++) {
    const { request, response } = await abandoned()
    streams.follow(request, response, viewer, run)
  }
  const before = reads
  await pause(600)
  assert.equal(reads, before)
})
