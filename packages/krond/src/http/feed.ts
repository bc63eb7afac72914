import type { ServerResponse } from 'node:http'
import { printInstant } from '@kron/core'
import type { FeedEvent } from '@kron/host/api'
import { type Event, type EventName, fieldOf, printedFields } from '../log/event.ts'
import { EVENT_STREAM } from './answer.ts'
import { outcomeOfEvent, publicOutcome, publicReason } from './outcome-record.ts'
import { Refusal } from './refusal.ts'
import { publicRun, runningRecordOfEvent } from './running-record.ts'

interface Message {
  readonly number: number
  readonly time: number
  readonly event: Event
  /** The text for everybody and the text for operators, made when the first client needs it. */
  text?: string
  confidentialText?: string
}

export interface FeedOptions {
  /** Distinguishes the feed of this daemon from that of an earlier one. */
  readonly instance: string
  readonly now: () => number
  readonly mostClients?: number
  readonly remembered?: number
  readonly beatMs?: number
}

const LARGEST_BACKLOG = 1 << 20
/** Events within this time are sent together, so that a burst of starts does not cost a write per watcher and event. */
const GATHER_MS = 50

/** Server-sent events of the daemon; a client that lost its connection resumes where it was. */
export class Feed {
  readonly #options: Required<FeedOptions>
  /** Each client, and whether it may see commands and messages. */
  readonly #clients = new Map<ServerResponse, boolean>()
  readonly #ring: Message[] = []
  #last = 0
  #sent = 0
  #gathering: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined

  constructor(options: FeedOptions) {
    this.#options = { mostClients: 64, remembered: 1_000, beatMs: 15_000, ...options }
  }

  get size(): number {
    return this.#clients.size
  }

  publish(event: Event): void {
    if (event.level === 'debug') return
    this.#ring.push({ number: ++this.#last, time: this.#options.now(), event })
    if (this.#ring.length > this.#options.remembered * 2) this.#ring.splice(0, this.#options.remembered)
    if (this.#clients.size > 0) this.#gathering ??= setTimeout(() => this.#flush(), GATHER_MS)
  }

  /** Turns a response into a client; `lastEventId` is the last event it saw. On an open port anybody may listen. */
  join(response: ServerResponse, lastEventId: string | undefined, isConfidential = false): void {
    if (this.#clients.size >= this.#options.mostClients)
      throw new Refusal(503, 'too many watch the feed already', 'close another console, or try later')
    this.#flush()
    response.writeHead(200, EVENT_STREAM)
    response.write(`retry: 2000\n\n${this.#greeting(lastEventId, isConfidential)}`)
    this.#clients.set(response, isConfidential)
    this.#beat ??= setInterval(() => this.#broadcast(() => ': beat\n\n'), this.#options.beatMs)
    response.on('close', () => this.#leave(response))
  }

  close(): void {
    clearTimeout(this.#gathering)
    for (const client of this.#clients.keys()) client.end()
  }

  /** The events that a client missed, or a message that it must fetch everything again. */
  #greeting(lastEventId: string | undefined, isConfidential: boolean): string {
    const [instance, seen] = (lastEventId ?? '').split('.')
    const number = Number(seen)
    // Not every event in the ring is sent: an answer must not block the event loop for long.
    const oldest = Math.max(this.#ring[0]?.number ?? 1, this.#last - this.#options.remembered + 1)
    const known = instance === this.#options.instance && number >= oldest - 1
    if (lastEventId !== undefined && known && number <= this.#last)
      return this.#ring
        .filter(each => each.number > number)
        .map(each => this.#print(each, isConfidential))
        .join('')
    return `id: ${this.#options.instance}.${this.#last}\nevent: reset\ndata: {}\n\n`
  }

  #flush(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const fresh = this.#ring.filter(each => each.number > this.#sent)
    this.#sent = this.#last
    if (fresh.length > 0 && this.#clients.size > 0)
      this.#broadcast(isConfidential => fresh.map(each => this.#print(each, isConfidential)).join(''))
  }

  #broadcast(print: (isConfidential: boolean) => string): void {
    const texts = new Map<boolean, string>()
    for (const [client, isConfidential] of this.#clients) {
      const text = texts.get(isConfidential) ?? print(isConfidential)
      texts.set(isConfidential, text)
      if (client.writableLength > LARGEST_BACKLOG) client.destroy()
      else client.write(text)
    }
  }

  #print(message: Message, isConfidential: boolean): string {
    if (isConfidential) message.confidentialText ??= this.#textOf(message, true)
    else message.text ??= this.#textOf(message, false)
    return (isConfidential ? message.confidentialText : message.text)!
  }

  #textOf({ number, time, event }: Message, isConfidential: boolean): string {
    const data = JSON.stringify({
      time: new Date(time).toISOString(),
      ...printedFields(isConfidential ? event : withoutWords(event)),
      ...recordsIn(event, time, isConfidential),
    })
    // Unnamed: an `event: error` would look like a lost connection to EventSource.
    return `id: ${this.#options.instance}.${number}\ndata: ${data}\n\n`
  }

  #leave(response: ServerResponse): void {
    this.#clients.delete(response)
    if (this.#clients.size > 0) return
    clearInterval(this.#beat)
    this.#beat = undefined
  }
}

/** The records that other answers make of the event, so that a client need not make them itself. */
function recordsIn(
  event: Event,
  time: number,
  isConfidential: boolean,
): Pick<FeedEvent, 'running_record' | 'outcome_record'> {
  const run = runningRecordOfEvent(event)
  const outcome = outcomeOfEvent(event, printInstant(Math.floor(time / 1_000)))
  return {
    ...(run && { running_record: isConfidential ? run : publicRun(run) }),
    ...(outcome && { outcome_record: isConfidential ? outcome : publicOutcome(outcome) }),
  }
}

/** Private in every event: the person who asked for a manual run. */
const PERSON = 'user'

/**
 * The other fields of each event that may name a command, a file or another client's request. All others are public: the
 * compiler asks about a new event, but not about a new field.
 */
const PRIVATE: Readonly<Record<EventName, readonly string[]>> = {
  error: ['message', 'hint'],
  warning: ['message', 'hint'],
  notified: ['target'],
  notify_failed: ['message', 'target'],
  started: [],
  adopted: [],
  finished: [],
  timed_out: [],
  replaced: [],
  state_corrupt: ['movedTo'],
  journal_cut: [],
  disk_room: [],
  loading: [],
  started_daemon: [],
  listening: [],
  log_dropped: [],
  zones_changed: [],
  reload: [],
  shutdown: [],
  output_lost: [],
  claimed_before: [],
  // Lines that jobs print go to the log alone, never to the feed.
  output: [],
  decision: [],
  seed_computed: [],
  sample: [],
  constraint_reject: [],
  trigger: [],
  queued: [],
  skipped_concurrency: [],
  missed_deadline: [],
  constraint_unsatisfiable: [],
  reschedule: [],
  clock_jump: [],
  periods_reopened: [],
}

/** These events give reasons in krond's own words. Those of others may be the message of a failed start. */
const PUBLIC_REASONS: readonly EventName[] = ['decision', 'queued']

/** The event as everybody on this machine may read it. */
function withoutWords(event: Event): Event {
  const hidden = Object.fromEntries([PERSON, ...PRIVATE[event.event]].map(field => [field, undefined]))
  const reason = fieldOf(event, 'reason')
  const isReason = typeof reason === 'string' && !PUBLIC_REASONS.includes(event.event)
  return { ...event, ...hidden, ...(isReason ? { reason: publicReason(reason) } : {}) } as Event
}
