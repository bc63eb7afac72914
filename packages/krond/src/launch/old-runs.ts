import { KronError } from '@kron/core'
import { type ActiveState, type Entry, oldLauncher, type RunAccount } from '@kron/host'
import type { Clock } from '@kron/runtime'
import type { Ending, EndingReason } from '../driver/execution.ts'
import type { Run, Survivor } from '../effects/ports.ts'

/** Runs without a shim: /proc is the only source of facts about them. */
export interface OldRuns {
  attach(entry: Entry, active: ActiveState): Run | undefined
  survivors(): Promise<readonly Survivor[]>
}

const NANOSECONDS_PER_MS = 1_000_000
const LONGEST_TIMER_MS = 2 ** 31 - 1

export function hostOldRuns(clock: Clock, runAs: (entry: Entry) => RunAccount | undefined): OldRuns {
  return {
    attach: (entry, active) => attach(entry, active, clock),
    survivors: async () => {
      const found = await oldLauncher.findExecutions()
      return found.map(({ executionId, pid, processStart, uid, environment }) => ({
        executionId,
        pid,
        processStart,
        identity: environment.get('KRON_IDENTITY') ?? '',
        periodId: environment.get('KRON_PERIOD_ID') ?? '',
        chosenTime: environment.get('KRON_CHOSEN_TIME') ?? '',
        mayBeOf: entry => mayRun(uid, entry, runAs),
      }))
    },
  }
}

/** The daemon itself keeps the timeout of such a process. Its exit status stays unknown. */
function attach(entry: Entry, active: ActiveState, clock: Clock): Run | undefined {
  const process = { pid: active.PID, processStart: active.ProcessStart }
  if (!oldLauncher.isAlive(process)) return undefined
  const { timeout, grace } = entry.settings
  const startedAt = Date.parse(active.StartedAt || active.ChosenTime)
  let reason: EndingReason = 'unknown'
  let isOver = false
  const end: Run['end'] = (why, how) => {
    reason = reason === 'unknown' ? why : reason
    return oldLauncher.endGroup(process, how === 'now' ? 0 : grace / NANOSECONDS_PER_MS)
  }
  const ended = oldLauncher.gone(process).then((): Ending => {
    isOver = true
    return { exitCode: null, signal: null, reason }
  })
  /** Counts running time: a step of the wall clock must not end a job early. */
  const watch = (leftMs: number): void => {
    const waitMs = Math.min(Math.max(0, leftMs), LONGEST_TIMER_MS)
    clock.setTimer(waitMs, () => {
      if (isOver) return
      if (leftMs > waitMs) watch(leftMs - waitMs)
      else void end('timeout', 'grace')
    })
  }
  if (timeout !== null) watch(timeout / NANOSECONDS_PER_MS - Math.max(0, clock.now() - startedAt))
  return { ...process, shimPid: 0, startedAt, ended, end }
}

/** The daemon's own user may run anything; any other user must be the one the job runs as. */
function mayRun(uid: number, entry: Entry, runAs: (entry: Entry) => RunAccount | undefined): boolean {
  if (uid === process.getuid?.()) return true
  try {
    return runAs(entry)?.uid === uid
  } catch (error) {
    if (error instanceof KronError) return false
    throw error
  }
}
