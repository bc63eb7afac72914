import { createConnection } from 'node:net'
import type { ControlRequest } from '@kron/host'
import type { Changes } from '../log/event.ts'
import type { Status } from './status.ts'

/** A daemon that sleeps, or is busy, may take its time; one that is stopped never answers. */
const PATIENCE_MS = 5_000

/** One request to the daemon over its control socket: a line of JSON. */
export interface ControlCommand {
  readonly request: 'status' | 'reload'
}

/** What a reload did, or why everything stays as it was. */
export type ReloadResult =
  | { readonly kind: 'applied'; readonly changes: Changes; readonly refusedFiles: readonly string[] }
  | { readonly kind: 'refused'; readonly mistakes: readonly string[] }

/** The daemon's answer: one JSON document. */
export type ControlAnswer<T> = { readonly ok: T } | { readonly error: string; readonly hint?: string }

/** Who may see a status, and how much of it. */
export type Asker = 'operator' | { readonly uid: number }

export interface ControlActions {
  /** The daemon's own user. */
  readonly uid: number
  status(asker: Asker): Status
  reload(): Promise<ReloadResult>
}

/** Answers a request; the uid of the peer, which the kernel vouches for, decides what it may see. */
export async function answerRequest({ uid, line }: ControlRequest, actions: ControlActions): Promise<string> {
  const asker: Asker = uid === 0 || uid === actions.uid ? 'operator' : { uid }
  return `${JSON.stringify(await answerTo(line, asker, actions))}\n`
}

async function answerTo(
  line: string,
  asker: Asker,
  actions: ControlActions,
): Promise<ControlAnswer<unknown>> {
  let command: Partial<ControlCommand>
  try {
    command = JSON.parse(line) as Partial<ControlCommand>
  } catch {
    return { error: 'the request is not JSON', hint: 'send one line such as {"request":"status"}' }
  }
  switch (command?.request) {
    case 'status':
      return { ok: actions.status(asker) }
    case 'reload':
      if (asker === 'operator') return { ok: await actions.reload() }
      return { error: 'only root and the user of krond may reload it' }
    default:
      return { error: 'unknown request', hint: 'requests are: status, reload' }
  }
}

/** Asks the daemon behind one of the sockets; undefined if nobody listens, 'silent' if nobody answers in time. */
export async function askDaemon<T>(
  sockets: readonly string[],
  command: ControlCommand,
  patienceMs: number = PATIENCE_MS,
): Promise<ControlAnswer<T> | 'silent' | undefined> {
  for (const socket of sockets) {
    try {
      const text = await ask(socket, command, patienceMs)
      return text === undefined ? 'silent' : (JSON.parse(text) as ControlAnswer<T>)
    } catch {
      // Nobody listens there.
    }
  }
  return undefined
}

/** Everything the other side says until it hangs up; undefined if that takes too long. */
function ask(address: string, command: ControlCommand, patienceMs: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(address)
    const timer = setTimeout(() => {
      socket.destroy()
      resolve(undefined)
    }, patienceMs)
    socket
      .on('connect', () => socket.write(`${JSON.stringify(command)}\n`))
      .on('data', chunk => {
        text += chunk
      })
      .on('end', () => resolve(text))
      .on('error', reject)
      .on('close', () => clearTimeout(timer))
  })
}
