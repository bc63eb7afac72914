import { once } from 'node:events'
import { createServer, connect as open, type Server, type Socket } from 'node:net'

/** A network cable between a client and a server on this machine. It can be cut without either side noticing. */
export class Wire {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #cut = false

  private constructor(server: Server) {
    this.#server = server
  }

  static async to(port: number): Promise<Wire> {
    const server = createServer()
    const wire = new Wire(server)
    server.on('connection', client => wire.#join(client, open(port, '127.0.0.1')))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return wire
  }

  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return address.port
  }

  /** Stops all traffic in both directions. Neither side is notified. */
  cut(): void {
    this.#cut = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Lets new connections pass. Old connections are closed, and their data in flight is lost. */
  mend(): void {
    this.#cut = false
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(client: Socket, server: Socket): void {
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', bytes => to.write(bytes))
      from.on('error', () => {})
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      if (this.#cut) from.pause()
    }
  }
}
