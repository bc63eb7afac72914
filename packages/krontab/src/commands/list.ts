import { existsSync } from 'node:fs'
import { errorText, type Given, withProgress } from '@kron/cli'
import { nextDecisions, printCron, printDistribution, printDuration, recordOf } from '@kron/core'
import { activeOf, lastDocument, type State } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { instantOption } from '../context/option-values.ts'
import { printJson, printLines } from '../context/print.ts'
import { OK, Refusal } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { readStates, stateDirectoryOf } from '../daemon/state-directory.ts'
import { saltedEntries, saltingOf } from '../fleet/salts.ts'
import { loadEntries } from '../job-files/load.ts'
import type { LIST } from '../program/preview-commands.ts'
import { type Listed, listText } from '../view/list.ts'

export const run: Run<typeof LIST> = async (context, options) => {
  const at = instantOption('at', options.at, context)
  const refusals: Refusal[] = []
  const loaded = loadEntries(context, options, undefined, refusal => refusals.push(refusal))
  if (loaded.length === 0 && refusals[0] !== undefined) throw refusals[0]
  const entries = saltedEntries(loaded, saltingOf(context, {}))
  // The jobs of the other files are listed anyway.
  for (const refusal of refusals) context.err(errorText(refusal))
  const code = refusals[0]?.code ?? OK
  if (options.names) {
    printLines(
      context,
      entries.map(entry => entry.name),
    )
    return code
  }
  const states = await statesOf(context, options)
  const listed = withProgress(context, 'deciding', show =>
    entries.map((entry, i): Listed => {
      if (i % 1_024 === 0) show(i, entries.length)
      return { entry, next: nextDecisions(entry, at + 1, 1)[0], state: states?.get(entry.identity) }
    }),
  )
  if (options.format === 'json') printJson(context, listed.map(documentOf))
  else printLines(context, listText(listed, at, states !== undefined, context.terminal))
  return code
}

/** Undefined if no state can be read: the list is useful even without last outcomes. */
async function statesOf(
  context: CommandContext,
  options: Given<typeof LIST.options>,
): Promise<ReadonlyMap<string, State> | undefined> {
  const directory = stateDirectoryOf(context, options)
  if (!existsSync(directory)) return undefined
  try {
    return (await readStates(directory, context.now())).byIdentity
  } catch (error) {
    if (error instanceof Refusal && options['state-dir'] === undefined) return undefined
    throw error
  }
}

function documentOf({ entry, next, state }: Listed) {
  const { cron, zone, window, distribution, policy } = entry.schedule
  return {
    job: entry.name,
    identity: entry.identity,
    description: entry.description,
    schedule: printCron(cron),
    timezone: zone.name,
    window: { mode: window.mode, duration: printDuration(window.duration) },
    distribution: printDistribution(distribution),
    suspended: policy.suspend,
    next: next === undefined || policy.suspend ? null : recordOf(next),
    last: state === undefined ? null : { ...lastDocument(state), running: activeOf(state).length },
  }
}
