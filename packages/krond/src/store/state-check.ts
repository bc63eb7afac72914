import { IncompatibleStateError, parseInstant } from '@kron/core'
import { activeOf, handledOf, type State } from '@kron/host'

/** An unreadable time could hide that a period ran. */
export function checkTimes(state: State): void {
  handledOf(state)
  for (const { PeriodID } of activeOf(state)) {
    if (parseInstant(PeriodID).ok) continue
    throw new IncompatibleStateError(`it has an execution of no period: ${PeriodID}`, {
      component: 'state',
      operation: 'read state',
      identity: state.Identity,
    })
  }
}
