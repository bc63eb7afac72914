import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoggedPeriod } from '@kron/testkit/operator/contradictions'
import type { World } from './world.ts'

/** The lines about the periods of a namespace, from the logs of all replicas. */
export function loggedPeriods({ plane: { directory } }: World, namespace: string): LoggedPeriod[] {
  const logs = readdirSync(directory).filter(name => /^operator-.*\.log$/.test(name))
  const lines = logs.flatMap(name => readFileSync(join(directory, name), 'utf8').split('\n'))
  return (
    lines
      // A kill may cut the last line short.
      .filter(line => line.endsWith('}') && line.includes(`"identity":"${namespace}/`))
      .map(line => JSON.parse(line))
      .filter(({ periodId }) => periodId !== undefined)
      .map(({ event, identity, periodId, reason = '', outcome }) => ({
        event,
        name: identity.split('/')[1],
        periodId,
        reason,
        outcome,
      }))
  )
}
