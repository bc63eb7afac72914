import { activeOf, lastDocument, runningDocument, type States } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { printJson, printLines } from '../context/print.ts'
import { OK } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { activeRunsOf } from '../daemon/job-history.ts'
import { existingStateDirectory, readStates } from '../daemon/state-directory.ts'
import type { STATUS } from '../program/history-commands.ts'
import { sorted, statusText } from '../view/status.ts'

export const run: Run<typeof STATUS> = async (context, options) => {
  const directory = existingStateDirectory(context, options)
  const found = await readStates(directory, context.now())
  const gone = goneOf(context, found)
  const isListed = (identity: string): boolean => options.all || !gone.has(identity)
  const byIdentity = new Map([...found.byIdentity].filter(([identity]) => isListed(identity)))
  const states = { ...found, byIdentity }
  if (options.format === 'json') {
    const all = sorted(states)
    printJson(context, {
      stateDirectory: directory,
      running: all.flatMap(state => activeOf(state).map(each => runningDocument(state.Identity, each))),
      jobs: all.map(lastDocument),
      gone: [...gone].sort(),
      unreadable: states.unreadable,
    })
  } else printLines(context, statusText(directory, states, gone.size, context.now(), context.terminal))
  return OK
}

/** A job with a run that goes on is listed even if it is gone. */
const goneOf = (context: CommandContext, { byIdentity }: States): ReadonlySet<string> =>
  new Set(
    [...byIdentity.values()]
      .filter(state => activeRunsOf(state).length === 0 && context.isGone(state.Identity))
      .map(state => state.Identity),
  )
