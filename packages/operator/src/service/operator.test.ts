import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { ClusterAccess } from '../cluster/kubeconfig.ts'
import { Operator } from './operator.ts'

const WITHIN = 10_000
/** TLS with a shared key needs no certificates. */
const TLS = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const
const PSK = Buffer.from('c0ffee', 'hex')

/** An API server without objects. It holds every watch open and grants every lease. */
async function emptyServer() {
  let watches = 0
  const server = createServer({ ...TLS, pskCallback: () => PSK }, (request, response) => {
    const { method, url = '' } = request
    if (url.includes('watch=true')) {
      watches++
      response.writeHead(200).flushHeaders()
    } else if (!url.includes('/leases'))
      response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] }))
    else if (method === 'GET') response.writeHead(404).end(JSON.stringify({ reason: 'NotFound' }))
    else request.pipe(response)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const tls = {
    ...TLS,
    pskCallback: () => ({ psk: PSK, identity: 'kron' }),
    checkServerIdentity: () => undefined,
  }
  const access: ClusterAccess = {
    server: `https://127.0.0.1:${port}`,
    namespace: 'default',
    credentials: async () => ({ tls, headers: {} }),
  }
  return { server, access, watches: () => watches }
}

test('the watches of many namespaces leave connections for the lease', async () => {
  const { server, access, watches } = await emptyServer()
  const namespaces = Array.from({ length: 60 }, (_, i) => `ns-${i}`)
  const stop = new AbortController()
  const led = new Promise<boolean>(done => {
    setTimeout(() => done(false), WITHIN).unref()
    const log = (_level: string, event: string): void => {
      if (event === 'leading') done(true)
    }
    const operator = new Operator({ access, identity: 'a', namespaces, leaseNamespace: 'default', log })
    void operator.run(stop.signal)
  })
  try {
    assert.equal(await led, true)
    assert.ok(watches() >= 2 * namespaces.length, `${watches()} watches`)
  } finally {
    stop.abort()
    server.close()
    server.closeAllConnections()
  }
})
