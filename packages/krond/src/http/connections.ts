import type { Socket } from 'node:net'

export interface ConnectionLimits {
  /** New connections in a second, and at once. */
  readonly rate: number
  /** Milliseconds in which a request must have come. */
  readonly patience: number
}

/** Refuses connections that come too fast, and ends those on which no request comes. */
export class Connections {
  private readonly limits: ConnectionLimits
  private readonly deadlines = new WeakMap<Socket, NodeJS.Timeout>()
  private allowance: number
  private refilledAt = performance.now()

  constructor(limits: ConnectionLimits) {
    this.limits = limits
    this.allowance = limits.rate
  }

  opened(socket: Socket): void {
    const now = performance.now()
    const refill = ((now - this.refilledAt) / 1_000) * this.limits.rate
    this.allowance = Math.min(this.limits.rate, this.allowance + refill)
    this.refilledAt = now
    if (this.allowance < 1) return void socket.destroy()
    this.allowance--
    this.awaitRequest(socket)
    socket.on('timeout', () => socket.destroy())
    socket.on('close', () => clearTimeout(this.deadlines.get(socket)))
  }

  /** Own timers: Node's check every 30 seconds would wake an idle daemon. */
  awaitRequest(socket: Socket): void {
    clearTimeout(this.deadlines.get(socket))
    if (!socket.destroyed)
      this.deadlines.set(
        socket,
        setTimeout(() => socket.destroy(), this.limits.patience),
      )
  }

  requestCame(socket: Socket): void {
    clearTimeout(this.deadlines.get(socket))
  }
}
