import type { Given } from '@kron/cli'
import { activeOf, nameOf, outcomeDocument, runningDocument, type State } from '@kron/host'
import { countOption } from '../arguments.ts'
import type { Host } from '../host.ts'
import { loadEntries } from '../load.ts'
import { printJson, printLines } from '../print.ts'
import type { HISTORY } from '../program/past.ts'
import { NOT_FOUND, OK, Refusal } from '../refusal.ts'
import { existingStateDirectory, readStateOf, readStates } from '../state-directory.ts'
import { historyText } from '../view/history.ts'

export async function run(
  host: Host,
  options: Given<typeof HISTORY.options>,
  [job = '']: readonly string[],
): Promise<number> {
  const count = countOption('count', options.count, 20, 100_000)
  const state = await findState(host, existingStateDirectory(host, options), job, options)
  const entries = state.History.slice(-count).reverse()
  if (options.format === 'json') {
    const { Identity: identity } = state
    const running = activeOf(state).map(each => runningDocument(identity, each))
    printJson(host, { job: nameOf(identity), identity, running, outcomes: entries.map(outcomeDocument) })
  } else printLines(host, historyText(state, entries, host.now(), host.terminal))
  return OK
}

/** By identity, by the name of a job in the files, or by the name of one that is in no file any more. */
async function findState(
  host: Host,
  directory: string,
  job: string,
  options: Given<typeof HISTORY.options>,
): Promise<State> {
  const identities = job.includes(':') ? [job] : identitiesIn(host, job, options)
  for (const identity of identities) {
    const state = await readStateOf(directory, identity, host.now())
    if (state !== undefined) return state
  }
  const { byIdentity } = await readStates(directory, host.now())
  const named = [...byIdentity.values()].filter(each => nameOf(each.Identity) === job)
  if (named.length === 1) return named[0]!
  if (named.length > 1) {
    const choices = named.map(each => `\n  ${each.Identity}`).join('')
    throw new Refusal(NOT_FOUND, `several jobs were called ${job}`, `name one of them in full:${choices}`)
  }
  throw new Refusal(
    NOT_FOUND,
    `nothing is known of a job ${JSON.stringify(job)}`,
    'krontab status shows the jobs with a state',
  )
}

function identitiesIn(host: Host, job: string, options: Given<typeof HISTORY.options>): string[] {
  try {
    return loadEntries(host, options)
      .filter(entry => entry.name === job)
      .map(entry => entry.identity)
  } catch (error) {
    // The past can be told even if the files are broken or gone.
    if (error instanceof Refusal && options.file.length === 0) return []
    throw error
  }
}
