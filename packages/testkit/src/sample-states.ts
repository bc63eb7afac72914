import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decide, type Job, printInstant } from '@kron/core'
import { advance, type State, type StateEvent, stateFileName } from '@kron/host'
import { Journal, nodeDisk } from '@kron/runtime'

const handled = (periodId: string) => ({ HandledThrough: periodId, HandledPeriods: [] })

export const seen = (at: string): StateEvent => ({ kind: 'seen', firstSeen: at, handled: handled(at) })

/** The events of one period of a job, as krond would record them. */
export function periodEvents(
  job: Job,
  nominal: number,
  end:
    | { exitCode: number | null; signal?: string; after: number }
    | 'running'
    | 'missed'
    | 'skipped'
    | 'unschedulable',
): StateEvent[] {
  const { chosen, seedHash } = decide(job, nominal)
  const periodId = printInstant(nominal)
  const chosenTime = chosen === null ? '' : printInstant(chosen)
  if (end === 'missed' || end === 'skipped' || end === 'unschedulable') {
    const reason = { missed: 'deadline', skipped: 'concurrency', unschedulable: 'constraints' }[end]
    const at = printInstant((chosen ?? nominal) + 60)
    const period = { outcome: end, periodId, chosenTime, reason, seedHash }
    return [{ kind: 'notExecuted', periods: [period], at, handled: handled(periodId) }]
  }
  const executionId = `execution-${nominal}`
  const execution = {
    PeriodID: periodId,
    PID: 0,
    StartedAt: '',
    ChosenTime: chosenTime,
    ExecutionID: executionId,
    BootID: 'boot',
    BootTime: 1,
    ProcessStart: 0,
  }
  const startedAt = printInstant(chosen! + 1)
  const events: StateEvent[] = [
    { kind: 'intended', execution },
    {
      kind: 'started',
      executionId,
      pid: 4711,
      processStart: 7,
      startedAt,
      seedHash,
      handled: handled(periodId),
    },
  ]
  if (end === 'running') return events
  const { exitCode, signal, after } = end
  const completedAt = printInstant(chosen! + 1 + after)
  return [
    ...events,
    { kind: 'finished', executionId, completedAt, exitCode, ...(signal === undefined ? {} : { signal }) },
  ]
}

/** A state directory as krond leaves it: the first `filed` events of each job in its file, the others in the journal. */
export async function writeStates(
  directory: string,
  jobs: readonly {
    readonly identity: string
    readonly events: readonly StateEvent[]
    readonly filed: number
  }[],
): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const journal = await Journal.open(nodeDisk, directory, () => {})
  for (const { identity, events, filed } of jobs) {
    let state: State | undefined
    for (const [i, event] of events.entries()) {
      if (i < filed) state = advance(state, identity, event)
      await journal.append(JSON.stringify({ Identity: identity, Seq: i + 1, Event: event }))
    }
    if (state === undefined) continue
    writeFileSync(join(directory, stateFileName(identity)), JSON.stringify(state), { mode: 0o600 })
  }
  await journal.close()
}
