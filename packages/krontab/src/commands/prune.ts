import { type Given, plural } from '@kron/cli'
import { KronError } from '@kron/core'
import { pruneUnderLock } from '@kron/host'
import type { KeptStateRecord, PruneResult } from '@kron/host/api'
import type { CommandContext } from '../context/command-context.ts'
import { printAnswer } from '../context/print.ts'
import { badInput } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { askApi, NoDaemon } from '../daemon/ask.ts'
import { existingStateDirectory } from '../daemon/state-directory.ts'
import type { PRUNE } from '../program/daemon-commands.ts'

type PruneOptions = Given<typeof PRUNE.options>

export const run: Run<typeof PRUNE> = async (context, options) => {
  const result = await pruned(context, options)
  return printAnswer(context, options, result, () => pruneText(result, options['dry-run']))
}

/** The daemon prunes its own state directory; without one, the directory is locked meanwhile. */
async function pruned(context: CommandContext, options: PruneOptions): Promise<PruneResult> {
  const dryRun = options['dry-run']
  const body = dryRun ? { dryRun: 'yes' } : {}
  try {
    return await askApi<PruneResult>(context, options, '/api/v1/prune', body)
  } catch (error) {
    if (!(error instanceof NoDaemon)) throw error
  }
  const stateDir = existingStateDirectory(context, options)
  try {
    return await pruneUnderLock({ stateDir, now: context.now(), dryRun })
  } catch (error) {
    if (error instanceof KronError) throw badInput(error.message, error.hint)
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
