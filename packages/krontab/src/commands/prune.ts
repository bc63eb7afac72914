import { type Given, plural } from '@kron/cli'
import { KronError } from '@kron/core'
import { pruneUnderLock } from '@kron/host'
import type { KeptStateRecord, PruneResult } from '@kron/host/api'
import { askApi, NoDaemon } from '../daemon.ts'
import type { Host } from '../host.ts'
import { printJson, printLines } from '../print.ts'
import type { PRUNE } from '../program/act.ts'
import { BAD_INPUT, OK, Refusal } from '../refusal.ts'
import { existingStateDirectory } from '../state-directory.ts'

type PruneOptions = Given<typeof PRUNE.options>

export async function run(host: Host, options: PruneOptions): Promise<number> {
  const result = await pruned(host, options)
  if (options.format === 'json') printJson(host, result)
  else printLines(host, pruneText(result, options['dry-run']))
  return OK
}

/** The daemon prunes its own state directory; without one, the directory is locked meanwhile. */
async function pruned(host: Host, options: PruneOptions): Promise<PruneResult> {
  const dryRun = options['dry-run']
  const body = dryRun ? { dryRun: 'yes' } : {}
  try {
    return await askApi<PruneResult>(host, options, { method: 'POST', path: '/api/v1/prune', body })
  } catch (error) {
    if (!(error instanceof NoDaemon)) throw error
  }
  const stateDir = existingStateDirectory(host, options)
  try {
    return await pruneUnderLock({ stateDir, now: host.now(), dryRun })
  } catch (error) {
    if (error instanceof KronError) throw new Refusal(BAD_INPUT, error.message, error.hint)
    throw error
  }
}

const WHY: Readonly<Record<KeptStateRecord['why'], string>> = {
  running: 'a run goes on, or its end is not known yet',
  open: 'the window or the deadline of its last period is not over',
  journal: 'krond has not written all of it; start krond once',
}

function pruneText({ removed, kept }: PruneResult, dryRun: boolean): string[] {
  const verb = dryRun ? 'would remove' : 'removed'
  return [
    removed.length === 0 ? 'nothing to remove' : `${verb} the state of ${plural(removed.length, 'job')}`,
    ...removed.map(each => `  ${each}`),
    ...kept.map(({ identity, why, until }) => {
      const end = until === null ? '' : ` until ${until}`
      return `kept ${identity}${end}: ${WHY[why]}`
    }),
  ]
}
