import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { SystemError } from '@kron/core'
import { encodeFrame, FrameReader, fieldsOf } from './frames.ts'
import type { Channel } from './shim.ts'

export interface ServeOptions {
  /** The kron-shim executable. */
  readonly shim: string
  readonly claimsDir: string
  readonly runsDir: string
  /** The control socket; undefined: none. */
  readonly controlSocket: string | undefined
  /** Sync the claims directory before every start: needed if the directory is not in memory. */
  readonly sync: boolean
  /** The open lock file. */
  readonly lockFd: number
  readonly lockWaitMs: number
  /** A cgroup v2 directory that is the daemon's own. */
  readonly cgroup: string | undefined
  readonly notifySocket: string | undefined
  /** Called if the lock is not free at once. */
  readonly onWaiting: () => void
  /** serve has ended although it was not told to. */
  readonly onDeath: (error: SystemError) => void
}

/** A running `kron-shim serve` that holds the lock. */
export interface Serve extends Channel {
  readonly pid: number
  /** CLOCK_BOOTTIME minus CLOCK_MONOTONIC when it started, in milliseconds. */
  readonly bootOffsetMs: number | undefined
  /** Ends serve; runs go on. */
  close(): void
}

const FRAMES_FD = 3
const WORDS_KEPT = 4_096

/** Starts serve and waits until it holds the lock; undefined if another process kept it. */
export function startServe(options: ServeOptions): Promise<Serve | undefined> {
  const child = spawn(
    options.shim,
    [
      'serve',
      options.claimsDir,
      options.runsDir,
      options.controlSocket ?? '-',
      options.sync ? '1' : '0',
      String(options.lockWaitMs),
      options.cgroup ?? '-',
    ],
    {
      // serve gets only its own descriptors: jobs must not reach the daemon's log through it.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', options.lockFd],
      env: options.notifySocket === undefined ? {} : { NOTIFY_SOCKET: options.notifySocket },
      detached: true,
    },
  )
  return new Promise((resolve, reject) => {
    const words = wordsOf(child)
    let serve: RunningServe | undefined
    let isSettled = false
    child.on('error', cause => {
      isSettled = true
      reject(problem(`cannot run ${options.shim}: ${cause.message}`, cause))
    })
    child.on('exit', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : signal
      const error = problem(`kron-shim serve has ended (${how})${words()}`)
      if (!isSettled) reject(error)
      else if (serve !== undefined && !serve.isClosed) options.onDeath(error)
      isSettled = true
    })
    if (child.pid === undefined) return
    const socket = child.stdio[FRAMES_FD] as Socket
    const starting = new RunningServe(child.pid, socket)
    starting.onFrame = payload => {
      const [kind, version, state, offsetNs] = fieldsOf(payload)
      if (kind === 'waiting') return options.onWaiting()
      isSettled = true
      if (kind !== 'hello' || version !== '1')
        return reject(problem(`kron-shim speaks another version: ${version}`))
      if (state !== 'locked') {
        starting.close()
        return resolve(undefined)
      }
      serve = starting
      serve.bootOffsetMs = offsetNs === undefined ? undefined : Number(offsetNs) / 1e6
      resolve(serve)
    }
  })
}

class RunningServe implements Serve {
  readonly pid: number
  bootOffsetMs: number | undefined
  onFrame: (payload: Buffer) => void = () => {}
  isClosed = false
  readonly #socket: Socket
  #isCorked = false

  constructor(pid: number, socket: Socket) {
    this.pid = pid
    this.#socket = socket
    const reader = new FrameReader(payload => this.onFrame(payload))
    socket.on('data', (chunk: Buffer) => reader.push(chunk))
    // The exit of the process reports its death.
    socket.on('error', () => {})
  }

  send(fields: readonly string[]): void {
    this.#cork()
    this.#socket.write(encodeFrame(fields))
  }

  /** The frames of one turn of the event loop go to serve in one write. */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    this.#socket.cork()
    process.nextTick(() => {
      this.#isCorked = false
      this.#socket.uncork()
    })
  }

  close(): void {
    this.isClosed = true
    this.#socket.destroy()
  }
}

/** The last text on its stderr, for an error message. */
function wordsOf({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = `${text}${chunk}`.slice(-WORDS_KEPT)
  })
  return () => (text === '' ? '' : `: ${text.trim()}`)
}

const problem = (message: string, cause?: unknown): SystemError =>
  new SystemError(message, { component: 'launch', operation: 'serve', cause })
