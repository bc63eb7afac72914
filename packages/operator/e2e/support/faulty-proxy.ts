import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer, request } from 'node:https'
import { join } from 'node:path'
import type { World } from './world.ts'

/** The proxy's answer in place of the API server's. `lost` passes the request on and drops the answer. */
export type Fault = { readonly status: number; readonly message: string } | 'lost'

export interface FaultyProxy {
  readonly kubeconfig: string
  /** Called for every request. Undefined lets the request pass. */
  fault: (method: string, path: string) => Fault | undefined
  close(): void
}

/** An HTTP proxy in front of the API server that can refuse requests for a test. */
export async function startFaultyProxy(world: World, name: string): Promise<FaultyProxy> {
  const { plane } = world
  const ca = readFileSync(plane.certificate)
  const config = JSON.parse(readFileSync(plane.kubeconfig, 'utf8'))
  const authorization = `Bearer ${config.users[0].user.token}`
  // The API server's own certificate also names the loopback address.
  const key = readFileSync(join(plane.directory, 'certificates/apiserver.key'))
  const server = createServer({ key, cert: ca }, (incoming, answer) => {
    const fault = proxy.fault(incoming.method!, incoming.url!)
    if (fault !== undefined && fault !== 'lost') {
      const body = { apiVersion: 'v1', kind: 'Status', code: fault.status, message: fault.message }
      return void answer
        .writeHead(fault.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body))
    }
    const { host, connection, ...headers } = incoming.headers
    const options = { method: incoming.method!, headers: { ...headers, authorization }, ca }
    const upstream = request(new URL(incoming.url!, plane.server), options, (response: IncomingMessage) => {
      if (fault === 'lost') return void response.resume().on('end', () => answer.destroy())
      answer.writeHead(response.statusCode!, response.headers)
      response.pipe(answer)
    })
    upstream.on('error', () => answer.destroy())
    answer.on('close', () => upstream.destroy())
    incoming.pipe(upstream)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const proxy: FaultyProxy = {
    kubeconfig: plane.kubeconfigFor(name, { server: `https://127.0.0.1:${port}` }),
    fault: () => undefined,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}

/** Whether a request creates a Job and is not a dry run. */
export const createsJob = (method: string, path: string): boolean =>
  method === 'POST' && /\/jobs(\?|$)/.test(path) && !path.includes('dryRun')
