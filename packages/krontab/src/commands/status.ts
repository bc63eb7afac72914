import type { Given } from '@kron/cli'
import { activeOf, lastDocument, runningDocument, type States } from '@kron/host'
import type { Host } from '../host.ts'
import { activeRunsOf } from '../past.ts'
import { printJson, printLines } from '../print.ts'
import type { STATUS } from '../program/past.ts'
import { OK } from '../refusal.ts'
import { existingStateDirectory, readStates } from '../state-directory.ts'
import { sorted, statusText } from '../view/status.ts'

export async function run(host: Host, options: Given<typeof STATUS.options>): Promise<number> {
  const directory = existingStateDirectory(host, options)
  const found = await readStates(directory, host.now())
  const gone = goneOf(host, found)
  const isListed = (identity: string): boolean => options.all || !gone.has(identity)
  const byIdentity = new Map([...found.byIdentity].filter(([identity]) => isListed(identity)))
  const states = { ...found, byIdentity }
  if (options.format === 'json') {
    const all = sorted(states)
    printJson(host, {
      stateDirectory: directory,
      running: all.flatMap(state => activeOf(state).map(each => runningDocument(state.Identity, each))),
      jobs: all.map(lastDocument),
      gone: [...gone].sort(),
      unreadable: states.unreadable,
    })
  } else printLines(host, statusText(directory, states, gone.size, host.now(), host.terminal))
  return OK
}

/** A job with a run that goes on is listed even if it is gone. */
const goneOf = (host: Host, { byIdentity }: States): ReadonlySet<string> =>
  new Set(
    [...byIdentity.values()]
      .filter(state => activeRunsOf(state).length === 0 && host.isGone(state.Identity))
      .map(state => state.Identity),
  )
