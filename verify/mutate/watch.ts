import { Worker } from 'node:worker_threads'
import type { Site } from './sites.ts'

export interface Trial {
  readonly site: number
  /** The tests to run, until one fails. */
  readonly tests: readonly Pick<MeasuredTest, 'index' | 'time'>[]
}

export interface Assignment {
  readonly sources: readonly string[]
  readonly testFiles: readonly string[]
  /** Names of tests that are not worth their time. */
  readonly slowTests: readonly string[]
  /** The mutant that is already wrong while modules load; -1: none. */
  readonly active: number
  /** Undefined: the tests are measured. */
  readonly trials?: readonly Trial[]
}

export interface MeasuredTest {
  readonly index: number
  readonly name: string
  readonly failed: boolean
  /** Milliseconds of processor time. */
  readonly time: number
  readonly reached: readonly number[]
}

export type Message =
  | { readonly kind: 'sites'; readonly sites: readonly Site[]; readonly reachedByLoading: readonly number[] }
  | { readonly kind: 'test'; readonly test: MeasuredTest }
  /** A test begins that should take this many milliseconds. */
  | { readonly kind: 'begin'; readonly time: number }
  | { readonly kind: 'verdict'; readonly site: number; readonly noticed: boolean }
  | { readonly kind: 'end' }

/** Processor seconds for all work other than a test under trial, such as loading. */
const PATIENCE = 60
/** A test that takes this many times as long as it should counts as hanging, and so has noticed the mutant. */
const TIMES = 5

/** Runs a worker to its end; resolves with whether it came there by itself. Rejects if the tests cannot even be measured. */
export function watch(assignment: Assignment, onMessage: (message: Message) => void): Promise<boolean> {
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: assignment,
    execArgv: ['--conditions=kron-source', '--no-warnings'],
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
    stdout: true,
    stderr: true,
  })
  let since = process.cpuUsage()
  let patience = PATIENCE
  let ended = false
  const dog = setInterval(() => {
    if (process.cpuUsage(since).user > patience * 1e6) void worker.terminate()
  }, 500)
  return new Promise((resolve, reject) => {
    worker.on('message', (message: Message) => {
      since = process.cpuUsage()
      patience = message.kind === 'begin' ? 1.5 + (TIMES * message.time) / 1_000 : PATIENCE
      if (message.kind === 'end') ended = true
      else onMessage(message)
    })
    // A mutant may well break a module so that it cannot even be loaded. Without one, the tests must load.
    worker.on('error', error => {
      if (assignment.trials === undefined && assignment.active < 0) reject(error)
    })
    worker.on('exit', () => {
      clearInterval(dog)
      resolve(ended)
    })
  })
}
