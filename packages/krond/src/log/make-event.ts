import { type Decision, printInstant } from '@kron/core'
import type { Execution } from '../driver/execution.ts'

export type Level = 'debug' | 'info' | 'warn' | 'error'
export type Component = 'daemon' | 'configuration' | 'state' | 'scheduler' | 'execution'

/** An event; its fields are spelled in camelCase here, and in snake_case where they are printed. */
export const makeEvent = <L extends Level, C extends Component, N extends string, F extends object>(
  level: L,
  component: C,
  event: N,
  fields: F,
) => ({ level, component, event, ...fields })

/** The fields that name a period. */
export const periodOf = ({ job, nominal }: Decision) => ({
  identity: job.identity,
  periodId: printInstant(nominal),
})

/** The fields that name a run. A manual run has an empty period and the user who asked for it. */
export const runOf = ({ entry, periodId, id, pid, user }: Execution) => ({
  identity: entry.identity,
  periodId,
  executionId: id,
  pid,
  ...(user === undefined ? {} : { user }),
})

/** The fields of a run that are known since its beginning. */
export const beginningOf = (execution: Execution) => ({
  ...runOf(execution),
  chosenTime: execution.chosenTime,
  startedAt: printInstant(Math.floor(execution.startedAt / 1_000)),
})
