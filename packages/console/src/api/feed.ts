import { headers } from './client.ts'
import { messagesIn } from './event-stream.ts'
import type { FeedEvent } from './records.ts'

export interface FeedListener {
  onEvent(event: FeedEvent): void
  /** Everything must be fetched again: the daemon is another one, or too many events were missed. */
  onReset(): void
  onState(state: 'live' | 'lost', status: number): void
}

const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 5_000
/** Heartbeats come every 15 seconds. */
const SILENCE = 40_000

/** Follows the live feed until it is stopped. By fetch, because an EventSource cannot carry a token. */
export async function follow(listener: FeedListener, stopped: AbortSignal): Promise<void> {
  let lastId = ''
  for (let backoffMs = FIRST_BACKOFF_MS; ; backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS)) {
    const abort = new AbortController()
    stopped.addEventListener('abort', () => abort.abort(), { signal: abort.signal })
    let status = 0
    try {
      const response = await fetch('api/v1/events', {
        headers: { ...headers(), ...(lastId === '' ? {} : { 'last-event-id': lastId }) },
        signal: abort.signal,
        cache: 'no-store',
      })
      status = response.status
      if (response.ok && response.body !== null) {
        listener.onState('live', status)
        backoffMs = FIRST_BACKOFF_MS
        lastId = await readAll(response.body, listener, lastId, () => abort.abort())
      }
    } catch {
      // The connection is lost or silent for too long: in both cases, try again.
    }
    abort.abort()
    if (stopped.aborted) return
    listener.onState('lost', status === 200 ? 0 : status)
    await new Promise(resolve => setTimeout(resolve, backoffMs))
  }
}

async function readAll(
  body: ReadableStream<Uint8Array>,
  listener: FeedListener,
  seen: string,
  giveUp: () => void,
): Promise<string> {
  let lastId = seen
  let watchdog = setTimeout(giveUp, SILENCE)
  try {
    for await (const messages of messagesIn(body)) {
      clearTimeout(watchdog)
      watchdog = setTimeout(giveUp, SILENCE)
      for (const message of messages) {
        lastId = message.id
        if (message.event === 'reset') listener.onReset()
        else listener.onEvent(JSON.parse(message.data) as FeedEvent)
      }
    }
  } catch {
    // The caller connects again, after the last event that was read.
  }
  clearTimeout(watchdog)
  return lastId
}
