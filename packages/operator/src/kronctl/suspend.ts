import type { Given } from '@kron/cli'
import { kronJobsPath } from '../cluster/paths.ts'
import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import type { SUSPEND_OPTIONS } from './command.ts'
import { kronJobName, outputOf, printObject } from './output.ts'
import { readKronJob } from './subject.ts'
import type { Terminal } from './terminal.ts'

type Options = Given<typeof SUSPEND_OPTIONS>

export const runSuspend = (options: Options, terminal: Terminal, name: string): Promise<number> =>
  setSuspended(true, options, terminal, name)

export const runResume = (options: Options, terminal: Terminal, name: string): Promise<number> =>
  setSuspended(false, options, terminal, name)

async function setSuspended(
  suspend: boolean,
  options: Options,
  terminal: Terminal,
  name: string,
): Promise<number> {
  const { api, kronJob } = await readKronJob(name, options)
  const word = suspend ? 'suspended' : 'resumed'
  const output = outputOf(options)
  const say = (text: string, changed: KronJob): void => {
    if (output === 'text') terminal.out(text)
    else if (output === 'name') terminal.out(`${kronJobName(kronJob.metadata.name)}\n`)
    else printObject(changed, output, terminal)
  }
  if ((kronJob.spec.policy?.suspend ?? false) === suspend) {
    say(`${keyOf(kronJob)} was ${word} already\n`, kronJob)
    return 0
  }
  const { namespace, name: own } = kronJob.metadata
  const body = { spec: { policy: { suspend } } }
  const changed = await api.call<KronJob>('PATCH', kronJobsPath(namespace, own), { body })
  say(`${keyOf(kronJob)} is ${word}\n`, changed)
  return 0
}
