import { Worker } from 'node:worker_threads'
import { SystemError } from '@kron/core'
import { requireNative } from '../native/require-native.ts'
import type { Exit, ProcessTable } from '../process/process-table.ts'
import { LaunchError, type Launched, type Launcher, type LaunchSpec } from './launcher.ts'
import { keepExitStatuses } from './reaper.ts'

/** To the thread: start this, or wait for a child that a thread before it started. */
export type Request =
  | { readonly kind: 'launch'; readonly id: number; readonly spec: LaunchSpec }
  | { readonly kind: 'reap'; readonly id: number; readonly pid: number; readonly startTime: number }

/** From the thread. */
export type Reply =
  | { readonly kind: 'launched'; readonly id: number; readonly pid: number; readonly startTime: number }
  | {
      readonly kind: 'refused'
      readonly id: number
      readonly message: string
      readonly code: string
      readonly hint: string | undefined
    }
  | { readonly kind: 'exited'; readonly id: number; readonly exit: Exit }

interface Waiting {
  readonly resolve: (launched: Launched) => void
  readonly reject: (error: Error) => void
}

interface Running {
  readonly pid: number
  readonly startTime: number
  readonly resolve: (exit: Exit) => void
}

/** Requests go over in chunks, so that a thousand at once do not hold up the loop. */
const CHUNK = 32

const script = new URL(
  import.meta.url.endsWith('.ts') ? './launch-thread.ts' : './launch-thread.js',
  import.meta.url,
)
const startThread = (): Worker =>
  new Worker(script, {
    // Flags for the main program, such as --input-type, may not fit the thread's.
    execArgv: [],
    // It makes little garbage; a small nursery keeps its memory small.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  })

/** A launcher on a thread of its own: a start costs the event loop microseconds, whatever it costs the thread. */
export class ThreadLauncher implements Launcher {
  readonly #bootId: string
  readonly #startThread: () => Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #running = new Map<number, Running>()
  #outbox: Request[] = []
  #thread: Worker | undefined
  #isUp = false
  #isClosed = false
  #lastId = 0

  constructor(processes: Pick<ProcessTable, 'bootId'>, start: () => Worker = startThread) {
    requireNative('launch processes')
    keepExitStatuses()
    this.#bootId = processes.bootId()
    this.#startThread = start
    this.#thread = this.#begin()
  }

  launch(spec: LaunchSpec): Promise<Launched> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        throw new LaunchError('the launcher is closed', { code: 'ECANCELED', created: 'no' })
      }
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve, reject })
      this.#send({ kind: 'launch', id, spec })
    })
  }

  /** Ends the thread; processes that run go on, but nobody learns how they end. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.terminate()
  }

  #begin(): Worker {
    this.#isUp = false
    const thread = this.#startThread()
    let cause: Error | undefined
    thread.on('message', (replies: Reply[] | 'up') => {
      this.#isUp = true
      if (replies !== 'up') for (const reply of replies) this.#receive(reply)
      this.#holdProcess()
    })
    thread.on('error', (error: Error) => {
      cause = error
    })
    thread.on('exit', () => this.#lose(cause))
    thread.unref()
    return thread
  }

  #send(request: Request): void {
    if (this.#outbox.length === 0) queueMicrotask(() => this.#flush())
    this.#outbox.push(request)
    if (this.#outbox.length >= CHUNK) this.#flush()
  }

  #flush(): void {
    if (this.#outbox.length === 0) return
    const requests = this.#outbox
    this.#outbox = []
    this.#thread ??= this.#begin()
    this.#thread.postMessage(requests)
    this.#holdProcess()
  }

  /** Like a child of Node's own: whoever waits for it keeps the process alive. */
  #holdProcess(): void {
    if (this.#waiting.size + this.#running.size > 0) this.#thread?.ref()
    else this.#thread?.unref()
  }

  #receive(reply: Reply): void {
    const { id } = reply
    if (reply.kind === 'exited') {
      this.#running.get(id)?.resolve(reply.exit)
      this.#running.delete(id)
      return
    }
    const { resolve, reject } = this.#waiting.get(id)!
    this.#waiting.delete(id)
    if (reply.kind === 'refused') {
      const { message, code, hint } = reply
      return reject(new LaunchError(message, { code, created: 'no', hint }))
    }
    const { pid, startTime } = reply
    const exited = new Promise<Exit>(resolve => this.#running.set(id, { pid, startTime, resolve }))
    resolve({ process: { pid, startTime, bootId: this.#bootId }, exited })
  }

  /** The thread has died: what it was starting may run; what it was waiting for, its successor waits for. */
  #lose(cause: Error | undefined): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(this.#lossOf(cause))
    this.#thread = undefined
    if (this.#isUp && !this.#isClosed) {
      for (const [id, { pid, startTime }] of this.#running) {
        this.#send({ kind: 'reap', id, pid, startTime })
      }
      return
    }
    for (const { resolve } of this.#running.values()) resolve({ kind: 'unknown' })
    this.#running.clear()
  }

  #lossOf(cause: Error | undefined): Error {
    const reason = this.#isClosed ? 'it was closed' : (cause?.message ?? 'it ended')
    if (this.#isUp) {
      return new LaunchError(`the launching thread was lost: ${reason}`, { code: 'EIO', created: 'unknown' })
    }
    return new SystemError(`the launching thread cannot start: ${reason}`, {
      component: 'launch',
      operation: 'start',
      cause,
    })
  }
}
