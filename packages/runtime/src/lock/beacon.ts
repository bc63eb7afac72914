import { readFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { codeOf } from '../disk/disk.ts'

/** The shortest limit on the length of a socket's path, that of macOS, without its final zero. */
const LONGEST_PATH = 103
const PIPE = '\\\\.\\pipe\\'

/** A socket on which the process listens as long as it lives. However the process ends, the kernel closes the socket. */
export interface Beacon {
  /** As others find it, given the directory. */
  readonly address: string
  close(): void
}

/** Listens in the directory or, where that cannot be, in the one for temporary files; undefined if nowhere. */
export async function lightBeacon(directory: string, id: string): Promise<Beacon | undefined> {
  const places =
    process.platform === 'win32' ? [`${PIPE}kron-${id}`] : [`${id}.sock`, join(tmpdir(), `kron-${id}.sock`)]
  for (const address of places) {
    const path = pathOf(directory, address)
    if (process.platform !== 'win32' && Buffer.byteLength(path) > LONGEST_PATH) continue
    const server = await listen(path).catch(() => undefined)
    if (server !== undefined) return { address, close: () => server.close() }
  }
  return undefined
}

/** Takes a name that one process at a time may have: 'taken' if another one has it, undefined if this platform cannot tell. */
export async function takeName(name: string): Promise<Beacon | 'taken' | undefined> {
  // Elsewhere a name of this kind outlives its process.
  if (process.platform !== 'linux' && process.platform !== 'win32') return undefined
  const address = process.platform === 'linux' ? `\0kron-${name}` : `${PIPE}kron-${name}`
  try {
    const server = await listen(address)
    return { address, close: () => server.close() }
  } catch (error) {
    return codeOf(error) === 'EADDRINUSE' ? 'taken' : undefined
  }
}

/** Whether somebody listens there; undefined if that cannot be told. */
export function isLit(directory: string, address: string): Promise<boolean | undefined> {
  return new Promise(resolve => {
    const socket = connect(pathOf(directory, address))
    const answer = (lit: boolean | undefined) => {
      socket.destroy()
      resolve(lit)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', error => {
      const code = codeOf(error)
      if (code === 'EAGAIN' || code === 'EBUSY') answer(true)
      else if (code === 'ECONNREFUSED' || (code === 'ENOENT' && address.startsWith(PIPE))) answer(false)
      else answer(undefined)
    })
  })
}

/** Names the machine since it was started, where that can be known, and else the machine. */
export function bootOrHostName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return hostname()
  }
}

const pathOf = (directory: string, address: string): string =>
  address.startsWith(PIPE) || isAbsolute(address) ? address : join(directory, address)

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy())
    // A lock keeps no process alive.
    server.unref()
    server.once('error', reject)
    // Exclusive: the workers of a cluster would share it otherwise.
    server.listen({ path, exclusive: true }, () => resolve(server))
  })
}
