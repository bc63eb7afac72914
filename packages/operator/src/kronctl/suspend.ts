import type { Given } from '@kron/cli'
import { kronJobsPath } from '../cluster/paths.ts'
import { keyOf } from '../manifest/kronjob.ts'
import type { SUSPEND_OPTIONS } from './command.ts'
import { readKronJob } from './subject.ts'
import type { Terminal } from './terminal.ts'

export async function runSuspend(
  name: string,
  suspend: boolean,
  options: Given<typeof SUSPEND_OPTIONS>,
  terminal: Terminal,
): Promise<number> {
  const { api, kronJob } = await readKronJob(name, options)
  const word = suspend ? 'suspended' : 'resumed'
  if ((kronJob.spec.policy?.suspend ?? false) === suspend) {
    terminal.out(`${keyOf(kronJob)} was ${word} already\n`)
    return 0
  }
  const { namespace, name: own } = kronJob.metadata
  await api.call('PATCH', kronJobsPath(namespace, own), { body: { spec: { policy: { suspend } } } })
  terminal.out(`${keyOf(kronJob)} is ${word}\n`)
  return 0
}
