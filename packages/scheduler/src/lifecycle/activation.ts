import { timeOf, zoneNameOf } from '../clock/clock-guard.ts'
import type { SchedulerClock } from '../clock/system-clock.ts'
import { zoneOf } from '../cron/cron.ts'
import type { ScheduleRules } from '../cron/task-schedule.ts'
import { type InitializationStep, SchedulerInitializationError } from '../error/lifecycle-error.ts'
import type { TaskTryDeserializeError } from '../error/record-error.ts'
import { typeName } from '../error/type-name.ts'
import type { TaskList } from '../registration/parse.ts'
import type { Report } from '../report.ts'
import { withPatience } from '../store/patience.ts'
import type { Store, StoreSession } from '../store/store.ts'
import { nameIn, readRecord } from '../task/read-record.ts'
import { reconcile } from '../task/reconcile.ts'
import type { TaskRecord } from '../task/record.ts'
import { TaskTable } from '../task/task-table.ts'

export interface ActivationParts {
  readonly store: Store
  /** The clock as the caller gave it. During initialization, any misbehaviour of the clock is an error. */
  readonly givenClock: SchedulerClock
  /** The guarded clock, used after initialization. */
  readonly clock: SchedulerClock
  readonly identifier: () => string
  readonly report: Report
  readonly rules: ScheduleRules
}

/** The state of an instance that may run tasks. */
export interface Activation {
  readonly owner: string
  readonly table: TaskTable
}

/** Reconciles the list with the persisted tasks in one commit. If any step fails, nothing has changed. */
export async function activate(
  list: TaskList,
  parts: ActivationParts,
  session: StoreSession,
): Promise<Activation> {
  const { store, givenClock, identifier, report } = parts
  const owner = await attempt('identify', async () => identifierOf(identifier()))
  const zone = await attempt('find the time zone', async () =>
    zoneOf(parts.rules.timeZone ?? zoneNameOf(givenClock)),
  )
  const loaded = await attempt('load the store', () => load(parts, session))
  try {
    const found = await attempt('load the store', async () => arrayOf(loaded))
    const { records, damaged } = readAll(found, parts)
    const now = readClock(givenClock)
    const plan = reconcile(list, records, damaged, zone, now)
    const { change } = plan
    if (change !== undefined) {
      await attempt('commit to the store', () => unlessAborted(session.signal, store.commit(change)))
    }
    for (const orphan of plan.orphans)
      report({ type: 'TaskOrphaned', at: now, ...orphan, currentOwner: owner })
    if (plan.clamped > 0) report({ type: 'ClockSetBack', at: now, tasks: plan.clamped })
    report({ type: 'StateReconciled', at: now, ...plan.counts })
    return { owner, table: new TaskTable(list, plan.times, zone) }
  } catch (error) {
    await closeStore(parts)
    throw error
  }
}

/** Closes the store. A store that fails to close or never answers does not block the caller. */
export async function closeStore({ store, clock, report }: ActivationParts): Promise<void> {
  const close = async () => store.close()
  try {
    await withPatience(clock, close())
  } catch (error) {
    report({ type: 'error', at: clock.now(), operation: 'close', error })
  }
}

async function attempt<T>(step: InitializationStep, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw new SchedulerInitializationError(step, error)
  }
}

/** Throws if the clock cannot set timers. */
export function tryTimer(clock: SchedulerClock): void {
  clock.clearTimer(clock.setTimer(1, () => {}))
}

/** The clock's time. Throws if the clock does not return a time. */
export function readClock(clock: SchedulerClock): number {
  try {
    return timeOf(clock)
  } catch (error) {
    throw new SchedulerInitializationError('read the clock', error)
  }
}

/** A failed load leaves nothing open. An aborted load may still open the store later; the store is then closed. */
async function load(parts: ActivationParts, session: StoreSession): Promise<unknown> {
  const loading = Promise.resolve(parts.store.load(session))
  try {
    return await unlessAborted(session.signal, loading)
  } catch (error) {
    if (session.signal.aborted)
      loading.then(
        () => closeStore(parts),
        () => {},
      )
    throw error
  }
}

function arrayOf(loaded: unknown): readonly unknown[] {
  if (Array.isArray(loaded)) return loaded
  throw new TypeError(`load() must return an array of records, got ${typeName(loaded)}`)
}

function identifierOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new TypeError(`the identifier must be a non-empty string, got ${JSON.stringify(value)}`)
}

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

interface Loaded {
  readonly records: ReadonlyMap<string, TaskRecord>
  readonly damaged: ReadonlySet<string>
}

function readAll(loaded: readonly unknown[], { clock, report }: ActivationParts): Loaded {
  const records = new Map<string, TaskRecord>()
  const damaged = new Set<string>()
  const complain = (value: unknown, error: TaskTryDeserializeError) => {
    const taskName = nameIn(value)
    if (taskName !== undefined) damaged.add(taskName)
    const about = taskName === undefined ? {} : { taskName }
    report({ type: 'TaskRecordDamaged', at: clock.now(), ...about, error })
  }
  for (const value of loaded) {
    const record = readRecord(value)
    if (record instanceof Error) complain(value, record)
    else records.set(record.name, record)
  }
  return { records, damaged }
}
