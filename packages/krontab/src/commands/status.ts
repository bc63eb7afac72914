import type { Given } from '@kron/cli'
import { activeOf, lastDocument, runningDocument } from '@kron/host'
import type { Host } from '../host.ts'
import { printJson, printLines } from '../print.ts'
import type { STATUS } from '../program/past.ts'
import { OK } from '../refusal.ts'
import { existingStateDirectory, readStates } from '../state-directory.ts'
import { sorted, statusText } from '../view/status.ts'

export async function run(host: Host, options: Given<typeof STATUS.options>): Promise<number> {
  const directory = existingStateDirectory(host, options)
  const states = await readStates(directory, host.now())
  if (options.format === 'json') {
    const all = sorted(states)
    printJson(host, {
      stateDirectory: directory,
      running: all.flatMap(state => activeOf(state).map(each => runningDocument(state.Identity, each))),
      jobs: all.map(lastDocument),
      unreadable: states.unreadable,
    })
  } else printLines(host, statusText(directory, states, host.now(), host.terminal))
  return OK
}
