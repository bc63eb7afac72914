import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer, request } from 'node:https'
import { join } from 'node:path'
import type { World } from './world.ts'

/** An answer that the proxy gives in place of the API server; `lost` lets the request through and loses the answer. */
export type Fault = { readonly status: number; readonly message: string } | 'lost'

export interface FaultyProxy {
  readonly kubeconfig: string
  /** Asked for every request; undefined lets it pass. */
  fault: (method: string, path: string) => Fault | undefined
  close(): void
}

/** A proxy in front of the API server that understands HTTP and can refuse what a test wants refused. */
export async function startFaultyProxy(world: World, name: string): Promise<FaultyProxy> {
  const { plane } = world
  const ca = readFileSync(plane.certificate)
  const config = JSON.parse(readFileSync(plane.kubeconfig, 'utf8'))
  const authorization = `Bearer ${config.users[0].user.token}`
  // The API server's own certificate names the loopback address, too.
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

/** Whether a request creates a Job for real. */
export const createsJob = (method: string, path: string): boolean =>
  method === 'POST' && /\/jobs(\?|$)/.test(path) && !path.includes('dryRun')
