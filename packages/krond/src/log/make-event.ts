import { type Decision, printInstant } from '@kron/core'

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
