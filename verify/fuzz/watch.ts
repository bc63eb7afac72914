import { Worker } from 'node:worker_threads'
import { Blackboard, NOT_BEGUN } from './blackboard.ts'
import type { Crash, Progress } from './explore.ts'

/** The message to a worker. */
export interface Assignment {
  /** URL of the target's module. */
  readonly module: string
  readonly known: readonly string[]
  readonly seed: number
  /** Milliseconds of processor time. */
  readonly time: number
  /** Executions after which it ends, whatever the time. */
  readonly most?: number
  readonly memory: SharedArrayBuffer
}

export type Message =
  | ({ readonly kind: 'crash' } & Crash)
  | { readonly kind: 'progress' | 'end'; readonly progress: Progress }

export interface Outcome {
  readonly progress: Progress
  readonly crashes: readonly Crash[]
  /** The input that never came back. */
  readonly hung: string | undefined
}

export interface WatchOptions extends Omit<Assignment, 'memory'> {
  readonly onProgress?: (progress: Progress) => void
  /** Processor seconds one input may take. */
  readonly patience?: number
}

const LOOK_EVERY = 250
const PATIENCE = 3
const NOTHING: Progress = { executions: 0, corpus: [], branches: 0, ofBranches: 0 }

/** Has a worker attack a target, and ends it if an input takes too long or kills it. */
export function watch({ onProgress, patience = PATIENCE, ...assignment }: WatchOptions): Promise<Outcome> {
  const blackboard = new Blackboard()
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: { ...assignment, memory: blackboard.memory } satisfies Assignment,
    execArgv: ['--conditions=kron-source', '--no-warnings'],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  const crashes: Crash[] = []
  let progress = NOTHING
  let hung: string | undefined
  const dog = setInterval(hangDetector(), LOOK_EVERY)

  /** Processor time counts, as this thread takes none: a busy machine makes nothing hang. */
  function hangDetector(): () => void {
    let place = ''
    let since = process.cpuUsage()
    return () => {
      if (blackboard.place !== place) {
        place = blackboard.place
        since = process.cpuUsage()
      } else if (place !== NOT_BEGUN && process.cpuUsage(since).user > patience * 1e6) {
        hung = blackboard.input
        void worker.terminate()
      }
    }
  }

  return new Promise((resolve, reject) => {
    worker.on('message', (message: Message) => {
      if (message.kind === 'crash') return void crashes.push({ input: message.input, stack: message.stack })
      progress = message.progress
      onProgress?.(progress)
    })
    worker.on('error', error => {
      // Before the first input it is the fuzzer that failed, not a parser.
      if (blackboard.place === NOT_BEGUN) reject(error)
      else crashes.push({ input: blackboard.input, stack: `the thread died: ${(error as Error).stack}` })
    })
    worker.on('exit', () => {
      clearInterval(dog)
      resolve({ progress, crashes, hung })
    })
  })
}
