import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import type { Status } from './status.ts'

/** A socket in the state directory on which the daemon tells its status; the directory's mode guards it. */
export const controlPath = (stateDir: string): string => `${stateDir}/${SOCKET}`

const SOCKET = 'control.sock'
const LONGEST_ADDRESS = 107
/** A daemon that sleeps, or is busy, may take its time; one that is stopped never answers. */
const PATIENCE = 5_000
const MOST_CONNECTIONS = 32

/** Uses the socket by an address that fits: a long path is shortened through a descriptor of the directory. */
async function atAddress<T>(stateDir: string, use: (address: string) => Promise<T>): Promise<T> {
  const path = controlPath(stateDir)
  if (Buffer.byteLength(path) <= LONGEST_ADDRESS) return use(path)
  const fd = openSync(stateDir, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return await use(`/proc/self/fd/${fd}/${SOCKET}`)
  } finally {
    closeSync(fd)
  }
}

/** Whoever connects is told the status as JSON. The lock must be held: a socket left by a dead daemon is replaced. */
export function serveStatus(stateDir: string, status: () => Status): Promise<Server> {
  const path = controlPath(stateDir)
  rmSync(path, { force: true })
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.setTimeout(PATIENCE, () => socket.destroy())
    socket.end(JSON.stringify(status()))
  })
  server.maxConnections = MOST_CONNECTIONS
  server.unref()
  const listen = (address: string): Promise<Server> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(address, () => {
        chmodSync(path, 0o600)
        resolve(server)
      })
    })
  return atAddress(stateDir, listen)
}

/** The status of the daemon behind the socket; undefined if nobody listens there, 'silent' if nobody answers in time. */
export async function askStatus(
  stateDir: string,
  patience: number = PATIENCE,
): Promise<Status | 'silent' | undefined> {
  try {
    const text = await atAddress(stateDir, address => receive(address, patience))
    return text === undefined ? 'silent' : (JSON.parse(text) as Status)
  } catch {
    return undefined
  }
}

/** Everything the other side says until it hangs up; undefined if that takes too long. */
function receive(address: string, patience: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(address)
    const timer = setTimeout(() => {
      socket.destroy()
      resolve(undefined)
    }, patience)
    socket
      .on('data', chunk => {
        text += chunk
      })
      .on('end', () => resolve(text))
      .on('error', reject)
      .on('close', () => clearTimeout(timer))
  })
}
