import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { ownersIn, Peers } from './peers.ts'

test("a local connection is its user's", async t => {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer().listen(0, host)
    const opened = await Promise.race([
      once(server, 'listening'),
      once(server, 'error').then(() => undefined),
    ])
    if (opened === undefined) {
      t.diagnostic(`${host} cannot be listened on here`)
      continue
    }
    const { port } = server.address() as AddressInfo
    const client = createConnection(port, host)
    const [accepted] = (await once(server, 'connection')) as [Socket]
    assert.equal(await new Peers().of(accepted), `user ${process.getuid!()}`)
    client.destroy()
    accepted.destroy()
    server.close()
  }
})

test('a connection from elsewhere is of its address, and nobody looks into tables', async () => {
  const peers = new Peers(async () => assert.fail('it was looked up'))
  assert.equal(await peers.of({ remoteAddress: '192.0.2.7' } as Socket), '192.0.2.7')
})

test('many that ask at one time are answered by one look', async () => {
  let looks = 0
  const peers = new Peers(async () => {
    looks++
    return '  1: 0100007F:0001 0100007F:0002 01 00000000:00000000 00:00000000 00000000  1000        0 7 1'
  })
  const socket = { remoteAddress: '127.0.0.1', remotePort: 1, localPort: 2 } as Socket
  const all = await Promise.all(Array.from({ length: 50 }, () => peers.of(socket)))
  assert.deepEqual(new Set(all), new Set(['user 1000']))
  assert.equal(looks, 1)
})

test('lines that are no connections are passed over', () => {
  assert.deepEqual([...ownersIn('  sl  local_address rem_address   st\n\nnonsense\n')], [])
})
