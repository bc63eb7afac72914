import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:net'

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

/** The processes that a failed test has left running. */
export function killAll(): void {
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

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
