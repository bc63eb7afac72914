import type { Given } from '@kron/cli'
import { printInstant } from '@kron/core'
import { jobsPath } from '../cluster/paths.ts'
import { keyOf } from '../manifest/kronjob.ts'
import { manualJob } from '../plan/manual-job.ts'
import type { TRIGGER_OPTIONS } from './command.ts'
import { outputOf, printObject } from './output.ts'
import { readKronJob } from './subject.ts'
import type { Terminal } from './terminal.ts'

/** Creates a Job from the KronJob's template now. It belongs to no period, so no period counts as handled. */
export async function runTrigger(
  options: Given<typeof TRIGGER_OPTIONS>,
  terminal: Terminal,
  name: string,
): Promise<number> {
  const { api, kronJob } = await readKronJob(name, options)
  const job = manualJob(kronJob, options.name, terminal.now)
  const query = options['dry-run'] ? { dryRun: 'All' } : {}
  const created = await api.call<{ metadata: { name: string } }>(
    'POST',
    jobsPath(kronJob.metadata.namespace),
    {
      body: job,
      query: { ...query, fieldValidation: 'Strict' },
    },
  )
  const output = outputOf(options)
  if (output === 'name') terminal.out(`job.batch/${created.metadata.name}\n`)
  else if (output !== 'text') printObject(created, output, terminal)
  else {
    const done = options['dry-run'] ? 'would be created' : 'created'
    terminal.out(
      `Job ${created.metadata.name} of ${keyOf(kronJob)} ${done} at ${printInstant(terminal.now)}\n`,
    )
  }
  return 0
}
