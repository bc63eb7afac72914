import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of the API server that can lose connections as networks do. */
export interface Proxy {
  readonly server: string
  /** Closes every connection and accepts no new ones. */
  cut(): void
  restore(): void
  /** Keeps connections open but stops their traffic. New connections work. */
  freeze(): void
  close(): void
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<[Socket, Socket]>()
  let refusing = false
  const server = createServer(client => {
    if (refusing) return void client.destroy()
    const upstream = connect(Number(port), hostname)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    client.pipe(upstream)
    upstream.pipe(client)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const each of pair) each.destroy()
      })
    }
  })
  const destroyAll = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address() as { port: number }
  return {
    server: `https://127.0.0.1:${address.port}`,
    cut: () => {
      refusing = true
      destroyAll()
    },
    restore: () => {
      refusing = false
    },
    freeze: () => {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream)
        upstream.unpipe(client)
        client.pause()
        upstream.pause()
      }
    },
    close: () => {
      destroyAll()
      server.close()
    },
  }
}
