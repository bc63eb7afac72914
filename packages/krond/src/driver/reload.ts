import { sameCalendars, sameCurve } from '@kron/core'
import { type Entry, printEntry } from '@kron/host'
import type { Message } from './effect.ts'
import { forget } from './schedule.ts'
import type { DriverState } from './state.ts'

/** Swaps the definitions; a job that did not change keeps its plan. */
export function reload(state: DriverState, { known, done }: Extract<Message, { kind: 'reload' }>): void {
  const changes = { changed: 0, removed: 0, unchanged: 0 }
  for (const [slot, entry] of known) changes[swap(state, slot, entry)]++
  state.effects.push({ kind: 'reply', reply: () => done(changes) })
}

function swap(
  state: DriverState,
  slot: number,
  entry: Entry | undefined,
): 'removed' | 'changed' | 'unchanged' {
  const { jobs } = state
  const old = jobs.entry(slot)!
  if (entry === undefined) {
    forget(state, slot)
    jobs.retire(slot)
    state.retired.set(old.identity, slot)
    release(state, slot)
    return 'removed'
  }
  jobs.replace(slot, entry)
  const isSame =
    printEntry(entry) === printEntry(old) &&
    entry.schedule.zone === old.schedule.zone &&
    sameCalendars(entry.schedule, old.schedule) &&
    sameCurve(entry.schedule, old.schedule)
  if (entry === old || isSame) return 'unchanged'
  forget(state, slot)
  state.unplanned.push(slot)
  return 'changed'
}

/** The slot of a removed job becomes free when nothing of the job is under way, or looked for, any more. */
export function release({ jobs, attempts, lookups, retired, paused }: DriverState, slot: number): void {
  if (jobs.entry(slot) !== undefined || attempts.of(slot).length > 0 || lookups.has(slot)) return
  for (const [identity, each] of retired) {
    if (each !== slot) continue
    retired.delete(identity)
    paused.delete(slot)
    jobs.release(slot)
  }
}
