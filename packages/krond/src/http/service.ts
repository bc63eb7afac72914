import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createDoor, type Server as Door, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { ScopedTokens } from '../api/scoped-tokens.ts'
import type { Event } from '../log/event.ts'
import type { StateObserver } from '../store/state-store.ts'
import type { Address } from './address.ts'
import { isKnown, refuse, secure, send } from './answer.ts'
import { readBody } from './body.ts'
import { type ConnectionLimits, Connections } from './connections.ts'
import { type ConsoleFile, readConsole } from './console-files.ts'
import { etagOf } from './etag.ts'
import { Feed } from './feed.ts'
import { type Admission, type GuardOptions, objection, viewerOf } from './guard.ts'
import { printJson } from './json.ts'
import { Ledger } from './ledger.ts'
import { listen } from './listen.ts'
import { makeSubject } from './make-subject.ts'
import { Metrics } from './metrics.ts'
import { OpenStreams } from './open-streams.ts'
import { Refusal } from './refusal.ts'
import { factsOf, header, type RequestFacts, urlOf } from './request-facts.ts'
import { type Asked, answer, type Found, findRoute, refuseMethod } from './routes.ts'
import { Slices } from './slices.ts'
import type { Running, Subject } from './subject.ts'
import type { Token } from './token.ts'

export interface ServiceOptions {
  readonly address: Address
  /** krond's own token, if --token-file names it. */
  readonly token: Token | undefined
  /** Reads krond's own token if `token` is undefined; called when the service opens. */
  readonly stateToken?: () => Token
  readonly furtherTokens?: ScopedTokens
  /** Whether everything but health and the files of the console needs a token. Absent: yes, if `token` is given. */
  readonly isTokenRequired?: boolean
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer }
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Resolves when no start is under way: answers wait for that. Absent: they do not wait. */
  readonly idle?: () => Promise<void>
  /** Called for answers that failed for an unexpected reason. */
  readonly warn?: (message: string) => void
  readonly console?: ReadonlyMap<string, ConsoleFile>
  readonly limits?: Partial<Limits>
}

export interface Limits extends ConnectionLimits {
  readonly feedClients: number
  /** Milliseconds in which a client must read some of its answer. */
  readonly stalled: number
}

/**
 * One peer may have at most 80 connections: 64 (`perPeer`), and 16 whose owner was not looked up (`UNASKED` of
 * connections.ts). So it can take neither all 96 places of the feed nor all 128 of the answers (slices.ts).
 */
const LIMITS: Limits = {
  connections: 192,
  perPeer: 64,
  feedClients: 96,
  rate: 100,
  patience: 5_000,
  stalled: 30_000,
}

/** The daemon over HTTP: API, live feed, metrics, health and console. */
export class HttpService {
  readonly ledger: Ledger
  readonly metrics = new Metrics()
  readonly #options: ServiceOptions
  readonly #guard: GuardOptions
  readonly #feed: Feed
  #admission: Admission
  readonly #secure: SecureContext | undefined
  /** The raw connection below each encrypted one. */
  readonly #carriers = new WeakMap<Socket, Socket>()
  readonly #slices: Slices
  readonly #limits: Limits
  readonly #connections: Connections
  readonly #instance = randomBytes(6).toString('hex')
  readonly #startedAt: number
  #console: ReadonlyMap<string, ConsoleFile> = new Map()
  #subject: Subject | undefined
  readonly #streams: OpenStreams
  private server: Server | undefined
  private door: Door | undefined

  constructor(options: ServiceOptions) {
    this.#options = options
    const { address, token, tls, furtherTokens } = options
    this.#guard = { address, hostname: hostname() }
    this.#admission = {
      address,
      token,
      furtherTokens,
      isTokenRequired: options.isTokenRequired ?? token !== undefined,
    }
    if (furtherTokens !== undefined) furtherTokens.onRemoved = name => this.#streams.endOf(`token ${name}`)
    this.#secure = tls === undefined ? undefined : createSecureContext({ ...tls, minVersion: 'TLSv1.2' })
    this.#startedAt = options.now()
    this.#slices = new Slices(options.idle)
    this.ledger = new Ledger(options.now)
    this.#limits = { ...LIMITS, ...options.limits }
    this.#connections = new Connections(this.#limits)
    this.#streams = new OpenStreams(this.#limits.feedClients)
    this.#feed = new Feed({
      instance: this.#instance,
      now: options.now,
      mostClients: this.#limits.feedClients,
    })
  }

  /** The address from the options. */
  get address(): Address {
    return this.#options.address
  }

  get scheme(): 'http' | 'https' {
    return this.#secure === undefined ? 'http' : 'https'
  }

  /** Resolves with the actual address: port 0 has become a real port. */
  async open(): Promise<Address> {
    this.#console = this.#options.console ?? readConsole()
    const { token, stateToken } = this.#options
    this.#admission = { ...this.#admission, token: token ?? stateToken?.() }
    // Our own timers end a slow client, see Connections.
    const server = createServer(
      {
        maxHeaderSize: 16_384,
        headersTimeout: 0,
        requestTimeout: 0,
        connectionsCheckingInterval: 2 ** 31 - 1,
      },
      (request, response) => void this.handle(request, response),
    )
    server.keepAliveTimeout = 5_000
    server.on('clientError', (_, socket) => socket.destroy())
    // Admitted connections are handed to HTTP; nothing is read from the others.
    const door = createDoor(socket =>
      this.#connections.opened(socket, () => server.emit('connection', this.#encrypted(socket))),
    )
    this.server = server
    this.door = door
    return listen(door, this.#options.address)
  }

  /** The daemon has begun and can be inspected. Returns it as the API sees it. */
  attach(running: Running): Subject {
    this.#subject = makeSubject(running, {
      startedAt: this.#startedAt,
      now: this.#options.now,
      ledger: this.ledger,
      instance: this.#instance,
    })
    return this.#subject
  }

  observe(event: Event): void {
    this.ledger.observe(event)
    this.metrics.observe(event)
    this.#feed.publish(event)
  }

  get stateObserver(): StateObserver {
    return {
      loaded: state => this.ledger.loaded(state),
      recorded: seconds => this.metrics.stateWritten(seconds),
    }
  }

  close(): void {
    this.#feed.close()
    this.door?.close()
    this.server?.closeAllConnections()
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const socket = this.#carriers.get(request.socket) ?? request.socket
    this.#connections.requestCame(socket)
    socket.setTimeout(this.#limits.stalled)
    response.on('close', () => this.#connections.awaitRequest(socket))
    response.on('error', () => socket.destroy())
    secure(response)
    try {
      const facts = factsOf(request)
      // Before any other check.
      refuseMethod(facts.method, facts.path.split('?', 1)[0]!)
      const why = objection(facts, this.#guard)
      if (why !== undefined) throw why
      await this.#answer(request, response, facts)
    } catch (error) {
      if (!(error instanceof Refusal)) this.#options.warn?.(`${request.url}: ${(error as Error).stack}`)
      refuse(response, error instanceof Refusal ? error : new Refusal(500, 'krond failed to answer'))
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, facts: RequestFacts): Promise<void> {
    const { pathname: path, searchParams: parameters } = urlOf(request)
    if (path === '/healthz') return send(request, response, plain('ok\n'))
    if (path === '/readyz') return send(request, response, plain(`ready, ${this.#ready.jobs.size} jobs\n`))
    const file = facts.method === 'POST' ? undefined : this.#consoleFile(path)
    if (file !== undefined) return sendFile(request, response, file)
    if (parameters.has('token'))
      throw new Refusal(
        400,
        'a token in a URL ends up in logs',
        'send it in the header Authorization: Bearer',
      )
    const viewer = viewerOf(facts, this.#admission)
    if (viewer === undefined)
      throw new Refusal(401, 'a token is needed', 'send Authorization: Bearer with a token of krond')
    const subject = this.#ready
    const run = this.#slices.run.bind(this.#slices)
    if (facts.method !== 'POST' && path === '/metrics') {
      const content = await run(this.metrics.print(subject, this.#feed.size))
      return send(request, response, { type: 'text/plain; version=0.0.4; charset=utf-8', content })
    }
    if (facts.method !== 'POST' && path === '/api/v1/events') {
      this.#streams.keep(request, response, viewer)
      return this.#feed.join(response, header(request, 'last-event-id'), viewer.kind !== 'anybody')
    }
    const found = findRoute(facts.method, path)
    const etag = etagOf(subject, viewer)
    response.setHeader('vary', 'authorization')
    const revised = found.route.isRevised === true
    if (revised && isKnown(request, etag)) return void response.writeHead(304, { etag }).end()
    const body = facts.method === 'POST' ? await readBody(request) : undefined
    const asked = { parameters, body, subject, run, viewer }
    const document = await answer(found, asked)
    if (parameters.get('follow') === 'true') return this.#follow(request, response, found, asked)
    const content = await run(printJson(document))
    send(request, response, { type: 'application/json', content, ...(revised ? { etag } : {}) })
  }

  /** The viewer was allowed to read the same output as a document just before. */
  #follow(
    request: IncomingMessage,
    response: ServerResponse,
    { runId }: Found,
    { subject: { driver, outputs }, viewer }: Asked,
  ): void {
    this.#streams.follow(request, response, viewer, {
      runId,
      isRunning: () => driver.running().some(each => each.id === runId),
      read: () => outputs.read(runId),
    })
  }

  #encrypted(socket: Socket): Socket {
    if (this.#secure === undefined) return socket
    const secured = new TLSSocket(socket, { isServer: true, secureContext: this.#secure })
    secured.on('error', () => socket.destroy())
    this.#carriers.set(secured, socket)
    return secured
  }

  get #ready(): Subject {
    if (this.#subject !== undefined) return this.#subject
    throw new Refusal(503, 'krond is still starting', 'try again in a second')
  }

  #consoleFile(path: string): ConsoleFile | undefined {
    if (path === '/' && this.#console.size === 0)
      throw new Refusal(
        404,
        'the console is not installed',
        'the API is at /api/v1/status; npm run build makes the console',
      )
    return this.#console.get(path)
  }
}

const plain = (content: string) => ({
  type: 'text/plain; charset=utf-8',
  content,
  cache: 'no-store',
})

function sendFile(request: IncomingMessage, response: ServerResponse, file: ConsoleFile): void {
  const cache = file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache'
  send(request, response, { type: file.type, content: file.bytes, etag: file.etag, cache })
}
