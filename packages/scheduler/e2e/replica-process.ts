import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SchedulerEvent } from '@kron/scheduler'
import { inWords, Once } from '@kron/testkit/once/once'

/** A replica and the server give each other up after this many milliseconds of silence. */
const SESSION_TIMEOUT = 5_000
const PATIENCE = 90_000

export interface Replica {
  readonly process: ChildProcess
  events(): ReplicaEvent[]
}

type ReplicaEvent = SchedulerEvent & { readonly taskName?: string; readonly cause?: string }

let replicas = 0

/** Starts a process that schedules tasks by a fast clock and writes its log to the directory. */
export function startReplica(
  directory: string,
  url: string,
  startedAt: number,
  { sessionTimeout = SESSION_TIMEOUT, detached = false } = {},
): Replica {
  const identifier = `replica-${++replicas}`
  const log = join(directory, `${identifier}.log`)
  const script = join(import.meta.dirname, 'replica.ts')
  const about = [url, log, String(startedAt), identifier, String(sessionTimeout)]
  const args = ['--conditions=kron-source', script, ...about]
  return {
    process: spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'], detached }),
    events: () => (existsSync(log) ? eventsOf(readFileSync(log, 'utf8')) : []),
  }
}

const eventsOf = (log: string): ReplicaEvent[] =>
  log
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as ReplicaEvent)

export async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE
  while (!condition()) {
    assert.ok(Date.now() < deadline, `waited in vain until ${what}`)
    await sleep(20)
  }
}

export async function end(replica: Replica, signal: NodeJS.Signals): Promise<void> {
  const exit = once(replica.process, 'exit')
  replica.process.kill(signal)
  await exit
}

const isStart = ({ type }: SchedulerEvent): boolean =>
  type === 'TaskRunStarted' || type === 'TaskRetryStarted'

export const startsOf = (replica: Replica): ReplicaEvent[] => replica.events().filter(isStart)
export const standbysOf = (replica: Replica): number =>
  replica.events().filter(event => event.type === 'standby').length

/** Asserts that no occurrence was started by two instances and that no two runs of one instance overlapped. */
export function assertNoDoubleStart(all: readonly Replica[]): void {
  const once = new Once()
  for (const [instance, replica] of all.entries()) {
    const running = new Set<string>()
    for (const event of replica.events()) {
      const { taskName = '' } = event
      if (event.type === 'TaskRunStarted' && event.cause !== 'orphan') {
        const found = once.ran(`${taskName} ${Math.floor(event.at / 60_000)}`, `instance ${instance}`)
        if (found !== undefined) assert.fail(inWords(found))
      }
      if (isStart(event)) {
        assert.ok(!running.has(taskName), `${taskName} ran twice at once`)
        running.add(taskName)
      }
      if (event.type === 'TaskRunCompleted' || event.type === 'TaskRunFailed') running.delete(taskName)
      // An instance that has lost the lock starts again from the state in the store.
      if (event.type === 'PollingStopped') running.clear()
    }
  }
}
