// One contender in a process of its own: name, tasks, how many of them are due, milliseconds from the start to the minute.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Result, Spending } from './rounds.ts'

const [name = '', tasksText = '', dueText = '', leadText = ''] = process.argv.slice(2)
const [size, due, lead] = [Number(tasksText), Number(dueText), Number(leadText)]

/** 14:01 in Paris: the minute at which everything that is due is due. */
const BOUNDARY = Date.parse('2026-06-10T12:01:00Z')
const DUE = '1 14 * * *'
const NOT_DUE = '0 0 1 1 *'

const RealDate = Date
const offset = BOUNDARY - lead - RealDate.now()
// Everybody sees the same time, which is always shortly before the same minute.
globalThis.Date = class extends RealDate {
  constructor(...values: readonly number[]) {
    if (values.length === 0) super(RealDate.now() + offset)
    // A year, a month and so on may follow.
    else super(...(values as [number]))
  }
  static override now(): number {
    return RealDate.now() + offset
  }
} as DateConstructor

const used = (): number => {
  for (let round = 0; round < 3; round++) globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const { contender } = await import('./contenders.ts')
const register = await contender(name)

const cell = new Int32Array(new SharedArrayBuffer(4))

/** Linux counts a thread's time when it switches or ticks, every 4 ms: a short pause of the thread makes it count now. */
function threadTime(since?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  Atomics.wait(cell, 0, 0, 0.005)
  return process.threadCpuUsage(since)
}

/** The processor's time since this was made: what else the machine does meanwhile is nobody's cost. */
class Spent {
  readonly #thread = threadTime()
  readonly #process = process.cpuUsage()

  now(): Spending {
    return {
      threadMs: inMs(threadTime(this.#thread)),
      processMs: inMs(process.cpuUsage(this.#process)),
    }
  }
}

const inMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

let spent = new Spent()
let fired = 0
let lastStartMs = 0
let starts = spent.now()
const run = () => {
  fired++
  lastStartMs = Math.max(lastStartMs, Date.now() - BOUNDARY)
  if (fired === due) starts = spent.now()
}
const tasks = Array.from({ length: size }, (_, index) => ({
  name: `task-${index}`,
  cron: index < due ? DUE : NOT_DUE,
  run,
}))

const before = used()
spent = new Spent()
await register(tasks)
const registration = spent.now()
const bytes = used() - before
const inTime = Date.now() < BOUNDARY - 200

/** After this time without a start, no more starts are expected. */
const SILENCE_MS = 5_000

async function untilAllHaveFired(): Promise<void> {
  let seen = -1
  for (let silentSince = performance.now(); fired < due; ) {
    if (fired !== seen) {
      silentSince = performance.now()
      starts = spent.now()
    }
    seen = fired
    if (performance.now() - silentSince > SILENCE_MS) return
    await sleep(20)
  }
}

/** Work done this long before the minute (for example garbage collection after the registration) delays no start. */
const SHORTLY_BEFORE_MS = 100

if (inTime) {
  await sleep(BOUNDARY - SHORTLY_BEFORE_MS - Date.now())
  spent = new Spent()
  await sleep(Math.max(0, BOUNDARY - Date.now()))
  await untilAllHaveFired()
  await sleep(300)
}
const minute = spent.now()
const missed = due - fired
const result: Result = { registration, bytes, lastStartMs, starts, minute, missed, inTime }
process.stdout.write(JSON.stringify(result))
process.exit(0)
