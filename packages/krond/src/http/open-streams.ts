import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Viewer } from '../api/viewer.ts'
import { type FollowedRun, streamOutput } from './output-stream.ts'
import { Refusal } from './refusal.ts'

/** The answers that stay open: the live feed, and outputs that are followed. */
export class OpenStreams {
  readonly #mostFollowers: number
  #followers = 0
  /** The open streams of further tokens, with the names of their viewers. */
  readonly #ofTokens = new Map<ServerResponse, string>()

  constructor(mostFollowers: number) {
    this.#mostFollowers = mostFollowers
  }

  /** A stream stays open, until the token that opened it is removed. */
  keep(request: IncomingMessage, response: ServerResponse, viewer: Viewer): void {
    socketStaysOpen(request)
    if (viewer.kind !== 'token') return
    this.#ofTokens.set(response, viewer.name)
    response.on('close', () => this.#ofTokens.delete(response))
  }

  /** Sends the output of a run until the run ends. A client may have gone while its run was looked up. */
  follow(request: IncomingMessage, response: ServerResponse, viewer: Viewer, run: FollowedRun): void {
    // Its `close` has been: nobody would free its place or stop reading for it.
    if (response.destroyed) return
    if (++this.#followers > this.#mostFollowers) {
      this.#followers--
      throw new Refusal(503, 'too many outputs are followed already', 'close another console, or try later')
    }
    response.on('close', () => this.#followers--)
    this.keep(request, response, viewer)
    streamOutput(response, run)
  }

  endOf(viewerName: string): void {
    for (const [response, name] of this.#ofTokens) {
      if (name === viewerName) response.destroy()
    }
  }
}

/** A feed is silent between heartbeats; the heartbeats detect a client that is gone. */
function socketStaysOpen({ socket }: IncomingMessage): void {
  socket.setTimeout(0)
  socket.setKeepAlive(true, 30_000)
}
