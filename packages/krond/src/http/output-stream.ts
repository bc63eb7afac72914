import type { ServerResponse } from 'node:http'
import { type KeptOutput, OutputText, outputPieces } from '@kron/host'
import type { OutputEnd } from '@kron/host/api'
import { EVENT_STREAM } from './answer.ts'

const LOOK_EVERY_MS = 250
const BEAT_EVERY_MS = 15_000
const LARGEST_BACKLOG = 1 << 20

export interface FollowedRun {
  readonly runId: string
  isRunning(): boolean
  read(): KeptOutput | undefined
}

/** Sends the output of a run as server-sent events, until the run is over or the client is gone. */
export function streamOutput(response: ServerResponse, run: FollowedRun): void {
  const text = new OutputText()
  let seen = 0
  let beat = performance.now()
  response.writeHead(200, EVENT_STREAM)
  const send = (event: string, data: object): void => {
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    beat = performance.now()
  }
  const look = (): void => {
    // Checked before the file is read, so that the last bytes are sent before the end.
    const isRunning = run.isRunning()
    // A client that reads slowly gets the rest later; bytes that the ring drops meanwhile become a gap.
    if (response.writableLength > LARGEST_BACKLOG) return
    const kept = run.read()
    if (kept !== undefined && kept.totalBytes > seen) {
      const { pieces, end } = outputPieces(kept, seen)
      for (const part of text.parts(pieces)) send('output', part)
      seen = end
    }
    if (!isRunning) {
      const end: OutputEnd = { runId: run.runId, totalBytes: seen }
      send('end', end)
      response.end()
    } else if (performance.now() - beat > BEAT_EVERY_MS) {
      beat = performance.now()
      response.write(': beat\n\n')
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  response.on('close', () => clearInterval(timer))
  look()
}
