import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkTrace, type SchedulerEvent, type TaskRecord } from '../../../../scheduler/src/index.ts'
import { TraceRecorder, traceEventOf } from '../../../../scheduler/src/theory/recorder.ts'
import { fastClock } from './fast-clock.ts'
import { type StoreKind, storeOf } from './lasting-store.ts'
import { registrations } from './registrations.ts'

const CHILD = join(import.meta.dirname, './child.ts')
const LIST = registrations(() => {})

/** Killed children leave no compile cache, so a child that ends by itself fills it for them. */
const cached = (log: string) => ({ ...process.env, NODE_COMPILE_CACHE: join(log, '../cache') })
function fillCache(log: string): void {
  const load = `import(${JSON.stringify(new URL('../../../../scheduler/src/index.ts', import.meta.url).href)})`
  spawnSync(process.execPath, ['--conditions=kron-source', '-e', load], { env: cached(log) })
}

/** When a child is killed: this many ms after it is up, or after it has called its first task. */
export interface Death {
  readonly lifetime: number
  readonly from: 'birth' | 'first call'
}

/** Lets a child run for a while, kills it, and returns its log. */
async function lifeOf(
  kind: StoreKind,
  place: string,
  log: string,
  startedAt: number,
  identifier: string,
  { lifetime, from }: Death,
) {
  const args = ['--conditions=kron-source', CHILD, kind, place, log, String(startedAt), identifier]
  const child = spawn(process.execPath, args, { env: cached(log), stdio: ['ignore', 'inherit', 'inherit'] })
  const exit = once(child, 'exit')
  const isHere = () => existsSync(log) && (from === 'birth' || readFileSync(log, 'utf8').includes('"called"'))
  while (!isHere() && child.exitCode === null) await sleep(2)
  await sleep(lifetime)
  child.kill('SIGKILL')
  const [, signal] = await exit
  assert.equal(signal, 'SIGKILL')
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as SchedulerEvent | { type: 'called'; taskName: string })
}

async function recordsIn(kind: StoreKind, place: string): Promise<readonly TaskRecord[]> {
  const store = storeOf(kind, place)
  const damages: Error[] = []
  const session = {
    onStandby() {},
    onError() {},
    onLost() {},
    onDamage: (error: Error) => damages.push(error),
  }
  const records = await store.load({ ...session, signal: new AbortController().signal })
  await store.close()
  assert.deepEqual(damages, [])
  return records
}

/** Processes that schedule on one store, one after the other; each is killed. */
export class Lives {
  orphans = 0
  calls = 0
  kills = 0
  private readonly parent: string
  private readonly kind: StoreKind
  private readonly place: string
  private readonly startedAt = Date.now()
  private readonly clock = fastClock(this.startedAt)
  private readonly recorder = new TraceRecorder('UTC')

  constructor(kind: StoreKind, parent: string) {
    this.kind = kind
    this.parent = parent
    this.place = join(parent, 'state')
    mkdirSync(parent, { recursive: true })
    fillCache(join(parent, 'log'))
  }

  /** Runs one life, and checks the result. */
  async next(death: Death): Promise<void> {
    const { recorder, kind, place, clock } = this
    const life = this.kills
    const owner = `life-${life}`
    const before = life === 0 ? [] : await recordsIn(kind, place)
    const orphaned = new Set(
      before.filter(record => record.runningBy !== undefined).map(record => record.name),
    )
    const log = join(this.parent, `${owner}.log`)
    const events = await lifeOf(kind, place, log, this.startedAt, owner, death)
    this.kills++
    const initialized = events.some(event => event.type === 'SchedulerInitializationCompleted')

    recorder.record({
      kind: 'InitStart',
      at: events[0] && 'at' in events[0] ? events[0].at : 0,
      call: life,
      registrations: LIST,
    })
    for (const event of events) {
      if (event.type === 'called') this.calls++
      const seen = event.type === 'called' ? undefined : traceEventOf(event, life)
      if (seen !== undefined) recorder.record(seen)
    }
    const restarted = events.filter(event => event.type === 'TaskRunStarted' && event.cause === 'orphan')
    const restartedNames = restarted.map(event => ('taskName' in event ? event.taskName : ''))
    assert.equal(new Set(restartedNames).size, restartedNames.length, 'an orphan was restarted twice')
    assert.ok(
      restartedNames.every(name => orphaned.has(name)),
      'what is no orphan was restarted as one',
    )
    this.orphans += restarted.length

    const after = await recordsIn(kind, place)
    const [first] = after
    // The store has stored the list, but the process died before it reported that.
    if (!initialized && before.length === 0 && first !== undefined)
      recorder.record({ kind: 'Reconciled', at: first.firstSeenAt, call: life })
    if (initialized) assert.equal(after.length, LIST.length, 'a record was lost')
    if (initialized) accountForUnseen(recorder, after, owner, clock.now())
    recorder.crash(clock.now())
  }

  /** Checks all lives together. */
  check(): void {
    const { recorder, clock } = this
    const violation = checkTrace({ ...recorder.trace(clock.now()), slack: Number.POSITIVE_INFINITY })
    assert.equal(violation, undefined, violation?.message ?? '')
  }

  remove(): void {
    rmSync(this.parent, { recursive: true, force: true })
  }
}

/** The store knows of starts and ends that the process did not log before it died. */
function accountForUnseen(
  recorder: TraceRecorder,
  records: readonly TaskRecord[],
  owner: string,
  at: number,
): void {
  for (const { name: task, runningBy, lastAttemptAt = at, pendingRetryUntil, lastFailureAt } of records) {
    const seen = recorder.running.has(task)
    if (seen && runningBy === undefined) {
      const failed = pendingRetryUntil !== undefined && lastFailureAt !== undefined
      if (failed) recorder.record({ kind: 'RunFailure', at, task, endedAt: lastFailureAt })
      else recorder.record({ kind: 'RunSuccess', at, task })
    } else if (!seen && runningBy === owner) recorder.record({ kind: 'RunStart', at: lastAttemptAt, task })
    // A callback must not be called before its start is durable: the task would run without a record.
    assert.ok(!(seen && runningBy !== undefined && runningBy !== owner), `${task} runs for ${runningBy}`)
  }
}
