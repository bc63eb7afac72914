import { createConnection } from 'node:net'

/** A daemon that sleeps or is busy may answer late; a stopped one never answers. */
const PATIENCE_MS = 5_000

/** One request to the daemon over its control socket: a line of JSON. `api` is a request of the HTTP API. */
export type ControlCommand =
  | { readonly request: 'status' | 'reload' }
  | {
      readonly request: 'api'
      readonly method: 'GET' | 'POST'
      /** With its query, as `/api/v1/history?job=…`. */
      readonly path: string
      readonly body?: object
    }
  /** The asker's own crontab. */
  | { readonly request: 'crontab'; readonly action: 'list' | 'remove' }
  | { readonly request: 'crontab'; readonly action: 'install'; readonly text: string }
  /** The tokens beside krond's own. */
  | { readonly request: 'token'; readonly action: 'list' }
  | { readonly request: 'token'; readonly action: 'add'; readonly name: string; readonly scope: string }
  | { readonly request: 'token'; readonly action: 'remove'; readonly name: string }

/** The daemon's answer: one JSON document. `status` is that of the HTTP API. */
export type ControlAnswer<T> =
  | { readonly ok: T }
  | { readonly error: string; readonly hint?: string; readonly status?: number }

/**
 * Sends the command to one of the sockets; undefined if no daemon listens, 'silent' if none answers in time. If
 * `accepts` rejects an answer, the next socket is tried.
 */
export async function askDaemon<T>(
  sockets: readonly string[],
  command: ControlCommand,
  patienceMs: number = PATIENCE_MS,
  accepts: (answer: ControlAnswer<T>) => boolean = () => true,
): Promise<ControlAnswer<T> | 'silent' | undefined> {
  let last: ControlAnswer<T> | undefined
  for (const socket of sockets) {
    let text: string | undefined
    try {
      text = await ask(socket, command, patienceMs)
    } catch {
      // No daemon listens on this socket.
      continue
    }
    if (text === undefined) return 'silent'
    last = parseAnswer<T>(text)
    if (accepts(last)) return last
  }
  return last
}

function parseAnswer<T>(text: string): ControlAnswer<T> {
  try {
    return JSON.parse(text) as ControlAnswer<T>
  } catch {
    return { error: 'krond hung up before its answer was complete', hint: 'see the log of krond' }
  }
}

/** Everything that the other side sends until it closes the connection; undefined if that takes too long. */
function ask(address: string, command: ControlCommand, patienceMs: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = createConnection(address)
    const timer = setTimeout(() => {
      socket.destroy()
      resolve(undefined)
    }, patienceMs)
    socket
      .on('connect', () => socket.write(`${JSON.stringify(command)}\n`))
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks).toString()))
      .on('error', reject)
      .on('close', () => clearTimeout(timer))
  })
}
