import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { ApiError, type StatusBody } from './api-error.ts'
import type { ClusterAccess } from './kubeconfig.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Call {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly timeout?: number
}

/** Called for every request, with its method and status (0: no answer). */
type Witness = (method: Method, status: number) => void

export interface ApiOptions {
  readonly witness?: Witness
  readonly timeout?: number
  readonly userAgent?: string
  /** The user to impersonate, as with `kubectl --as`. */
  readonly as?: string | undefined
  /** The number of connections that may be open at the same time. */
  readonly mostSockets?: number
}

const CREDENTIALS_FRESH = 60_000

interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly agent: Agent
  readonly secret: string
}

/**
 * The Kubernetes API over kept-alive connections, in plain JSON. The library's generated clients open a TLS connection
 * per request and drop unknown fields, so they are not used.
 */
export class Api {
  readonly #access: ClusterAccess
  readonly #server: URL
  readonly #witness: Witness
  readonly #timeout: number
  readonly #userAgent: string
  readonly #as: string | undefined
  readonly #mostSockets: number
  #credentials: Promise<Credentials> | undefined
  #credentialsSince = 0

  constructor(
    access: ClusterAccess,
    { witness = () => {}, timeout = 10_000, userAgent = 'kron', as, mostSockets = 100 }: ApiOptions = {},
  ) {
    this.#access = access
    this.#server = new URL(access.server)
    this.#witness = witness
    this.#timeout = timeout
    this.#userAgent = userAgent
    this.#as = as
    this.#mostSockets = mostSockets
  }

  get<T>(path: string, query: Call['query'] = {}): Promise<T> {
    return this.call('GET', path, { query })
  }

  async call<T>(
    method: Method,
    path: string,
    { query, body, timeout = this.#timeout }: Call = {},
  ): Promise<T> {
    try {
      const response = await this.#send(
        method,
        path,
        query,
        body,
        AbortSignal.timeout(Math.max(1, Math.floor(timeout))),
      )
      const text = await readAll(response)
      const status = response.statusCode ?? 0
      this.#witness(method, status)
      const read = parseBody(text)
      if (status >= 200 && status < 300) return read as T
      throw new ApiError(status, read as StatusBody | undefined, `${method} ${path}`)
    } catch (error) {
      if (error instanceof ApiError) throw error
      this.#witness(method, 0)
      throw ApiError.unreachable(error, `${method} ${path}`)
    }
  }

  /** Calls `onOpen` when the server answers, then `onLine` for each line. Ends with the answer or on abort. */
  async stream(
    path: string,
    query: Readonly<Record<string, string>>,
    onLine: (line: string) => void,
    signal: AbortSignal,
    onOpen: () => void = () => {},
  ): Promise<void> {
    try {
      const response = await this.#send('GET', path, query, undefined, signal)
      const status = response.statusCode ?? 0
      this.#witness('GET', status)
      if (status !== 200)
        throw new ApiError(status, parseBody(await readAll(response)) as StatusBody, `watch ${path}`)
      onOpen()
      response.setEncoding('utf8')
      let rest = ''
      for await (const chunk of response as AsyncIterable<string>) {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()!
        for (const line of lines) onLine(line)
      }
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw ApiError.unreachable(error, `watch ${path}`)
    }
  }

  async #send(
    method: Method,
    path: string,
    query: Readonly<Record<string, string>> = {},
    body: unknown,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { headers, agent } = await this.#fresh()
    const url = new URL(this.#server.href.replace(/\/$/, '') + path)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const options = {
      method,
      agent,
      signal,
      headers: {
        accept: 'application/json',
        'user-agent': this.#userAgent,
        ...(this.#as !== undefined && { 'impersonate-user': this.#as }),
        ...headers,
        ...(payload !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
      },
    }
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest
    return new Promise((resolve, reject) => {
      const sent: ClientRequest = send(url, options, resolve)
      sent.on('error', reject)
      // Keep-alive probes detect a peer that vanished silently within half a minute.
      sent.on('socket', socket => socket.setKeepAlive(true, 15_000))
      sent.end(payload)
    })
  }

  /** Tokens and certificates rotate, so they are read again every minute. */
  #fresh(): Promise<Credentials> {
    const now = performance.now()
    if (this.#credentials === undefined || now - this.#credentialsSince > CREDENTIALS_FRESH) {
      this.#credentials = this.#readCredentials(this.#credentials)
      this.#credentialsSince = now
      this.#credentials.catch(() => {
        this.#credentials = undefined
      })
    }
    return this.#credentials
  }

  async #readCredentials(before: Promise<Credentials> | undefined): Promise<Credentials> {
    const { tls, headers, agent: given } = await this.#access.credentials()
    const secret = JSON.stringify(tls)
    const last = await before?.catch(() => undefined)
    const agent = given ?? (last?.secret === secret ? last.agent : agentFor(tls, this.#mostSockets))
    return { headers, agent, secret }
  }
}

function agentFor(tls: Readonly<Record<string, unknown>>, maxSockets: number): Agent {
  const known = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined))
  return new HttpsAgent({ ...known, keepAlive: true, maxSockets, scheduling: 'lifo' })
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text === '' ? undefined : { message: text.trim() }
  }
}
