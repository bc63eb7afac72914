import { type IncomingMessage, request } from 'node:http'
import type { Address } from '../../../../krond/src/http/address.ts'
import { HttpService, type ServiceOptions } from '../../../../krond/src/http/service.ts'
import type { Running, Subject } from '../../../../krond/src/http/subject.ts'
import type { Event } from '../../../../krond/src/log/event.ts'
import { Machine } from '../simulation/machine.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The answer, with the type that the test expects. */
  readonly json: <T>() => T
}

/** The parts of a daemon in a simulated host that its HTTP service asks. */
export function runningOf({ daemon, store }: Machine): Running {
  const { driver } = daemon!
  return {
    driver,
    jobs: driver.jobs,
    store: store!,
    refusedFiles: () => [],
    startsStopped: () => null,
    refusedReload: () => null,
    owner: () => 0,
    outputs: { read: () => undefined },
    notifications: () => ({ delivered: 0, failedTries: 0, lost: 0, waiting: 0, oldestSeconds: 0 }),
  }
}

/** A daemon in a simulated host with a real HTTP service: the test moves time, and requests go over a socket. */
export class WatchedMachine {
  readonly machine: Machine
  readonly service: HttpService
  port = 0
  /** The daemon as the API sees it, once it has booted. */
  subject: Subject | undefined

  readonly #seams: Partial<Running>

  constructor(
    now: string,
    options: Partial<ServiceOptions> = {},
    maxConcurrent = Number.POSITIVE_INFINITY,
    seams: Partial<Running> = {},
  ) {
    this.#seams = seams
    this.machine = new Machine({ now: Date.parse(now) / 1_000, maxConcurrent })
    this.service = new HttpService({
      address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
      token: undefined,
      now: () => this.machine.clock.now(),
      console: new Map(),
      ...options,
    })
    const events = new Heard()
    events.listener = event => this.service.observe(event)
    Object.assign(this.machine, { events })
  }

  async open(): Promise<Address> {
    const address = await this.service.open()
    if (address.kind === 'tcp') this.port = address.port
    return address
  }

  async boot(lines: readonly string[]): Promise<void> {
    if (this.port === 0) await this.open()
    await this.machine.boot(lines)
    const notifications = () => ({ delivered: 3, failedTries: 2, lost: 1, waiting: 4, oldestSeconds: 50 })
    this.subject = this.service.attach({ ...runningOf(this.machine), notifications, ...this.#seams })
  }

  run(seconds: number): Promise<void> {
    return this.machine.run(seconds)
  }

  async close(): Promise<void> {
    this.service.close()
    await this.machine.stop()
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Reply> {
    return ask({ port: this.port, path, headers, method })
  }
}

/** Sees every event at the moment it is emitted. */
class Heard extends Array<Event> {
  listener: (event: Event) => void = () => {}

  override push(...events: Event[]): number {
    for (const event of events) this.listener(event)
    return super.push(...events)
  }
}

export interface Ask {
  readonly port?: number
  readonly socketPath?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: string
}

/** One request, sent unchanged: fetch would normalize the path and refuse to send a Host. */
export function ask({ body, headers = {}, ...options }: Ask): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', agent: false, ...options, headers: { ...headers } },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', chunk => {
          text += chunk
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            json: () => JSON.parse(text),
          }),
        )
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
