import type { Socket } from 'node:net'
import { Peers } from './peers.ts'

export interface ConnectionLimits {
  /** Connections at one time, and those of one peer. */
  readonly connections: number
  readonly perPeer: number
  /** New connections per second, which is also the burst size: for all peers together, and for each peer. */
  readonly rate: number
  /** Milliseconds in which a request must arrive. */
  readonly patience: number
}

/** At most this many connections may be open without a lookup of their owner. */
const UNASKED = 16
/** At most this many connections may wait for the lookup of their owner. */
const MOST_WAITING = 512

/** A token bucket: the number of connections that a rate still allows. */
class Allowance {
  readonly #rate: number
  #left: number
  #at = performance.now()

  constructor(rate: number) {
    this.#rate = rate
    this.#left = rate
  }

  get isFull(): boolean {
    this.#refill()
    return this.#left >= this.#rate
  }

  take(): boolean {
    this.#refill()
    if (this.#left < 1) return false
    this.#left--
    return true
  }

  #refill(): void {
    const now = performance.now()
    this.#left = Math.min(this.#rate, this.#left + ((now - this.#at) / 1_000) * this.#rate)
    this.#at = now
  }
}

interface Peer {
  readonly allowance: Allowance
  open: number
}

/**
 * Admits connections, and closes those on which no request arrives. While few connections come, their owners are not
 * looked up. When many come, each user of this machine and each other machine has its own allowance, so that one cannot
 * shut out the others.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #peers = new Peers()
  readonly #deadlines = new WeakMap<Socket, NodeJS.Timeout>()
  readonly #common: Allowance
  readonly #known = new Map<string, Peer>()
  #open = 0
  #unasked = 0
  #waiting = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
    this.#common = new Allowance(limits.rate)
  }

  /** Calls `serve` if the connection may stay; ends it otherwise. */
  opened(socket: Socket, serve: () => void): void {
    // A connection that breaks, even while it waits, is not an error.
    socket.on('error', () => {})
    if (this.#unasked < Math.min(UNASKED, this.#limits.connections) && this.#common.take()) {
      this.#unasked++
      socket.once('close', () => this.#unasked--)
      this.#welcome(socket, serve)
    } else if (this.#waiting >= MOST_WAITING) socket.resetAndDestroy()
    else void this.#ask(socket, serve)
  }

  /** Uses timers of its own: Node's check every 30 seconds would wake an idle daemon. */
  awaitRequest(socket: Socket): void {
    clearTimeout(this.#deadlines.get(socket))
    if (!socket.destroyed)
      this.#deadlines.set(
        socket,
        setTimeout(() => socket.destroy(), this.#limits.patience),
      )
  }

  requestCame(socket: Socket): void {
    clearTimeout(this.#deadlines.get(socket))
  }

  async #ask(socket: Socket, serve: () => void): Promise<void> {
    this.#waiting++
    const name = await this.#peers.of(socket)
    this.#waiting--
    if (socket.destroyed) return
    const peer = this.#peer(name)
    const { connections, perPeer } = this.#limits
    const hasRoom = this.#open < connections && peer.open < perPeer
    // A reset leaves nothing behind; an orderly close would leave a thousand connections in TIME_WAIT.
    if (!peer.allowance.take() || !hasRoom) return void socket.resetAndDestroy()
    peer.open++
    socket.once('close', () => peer.open--)
    this.#welcome(socket, serve)
  }

  #welcome(socket: Socket, serve: () => void): void {
    this.#open++
    socket.on('timeout', () => socket.destroy())
    socket.once('close', () => {
      this.#open--
      clearTimeout(this.#deadlines.get(socket))
    })
    this.awaitRequest(socket)
    serve()
  }

  #peer(name: string): Peer {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    for (const [other, { open, allowance }] of this.#known)
      if (open === 0 && allowance.isFull) this.#known.delete(other)
    const peer = { allowance: new Allowance(this.#limits.rate), open: 0 }
    this.#known.set(name, peer)
    return peer
  }
}
