import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:net'

/** Below the ports that Linux gives to connections: one of those could take a port before its server does. */
const [FIRST_PORT, LAST_PORT] = [20_000, 31_999]
let nextPort = FIRST_PORT + ((process.pid * 97) % (LAST_PORT - FIRST_PORT))

/** A program of the cluster under test, with its output in a file. */
export interface Child {
  readonly pid: number
  readonly exited: Promise<number | null>
  kill(signal?: NodeJS.Signals): Promise<void>
}

const children = new Set<ChildProcess>()
process.on('exit', killAll)
// A signal would end this process without its exit handlers.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/** Ends the processes that a failed test has left running. */
function killAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

export function start(
  file: string,
  args: readonly string[],
  log: string,
  env: NodeJS.ProcessEnv = process.env,
): Child {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  children.add(child)
  const output = createWriteStream(log, { flags: 'a' })
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  const exited = new Promise<number | null>(resolve => {
    child.once('error', () => resolve(null))
    child.once('exit', code => {
      children.delete(child)
      resolve(code)
    })
  })
  return {
    pid: child.pid ?? -1,
    exited,
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal)
      await exited
    },
  }
}

export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort
    nextPort = port < LAST_PORT ? port + 1 : FIRST_PORT
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
