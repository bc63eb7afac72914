import { resolve } from 'node:path'
import type { Given } from '@kron/cli'
import { saltedEntries, saltingOf } from '../fleet/salts.ts'
import type { Host } from '../host.ts'
import { loadEntries } from '../load.ts'
import { printJson, printLines } from '../print.ts'
import type { VERIFY } from '../program/past.ts'
import { OK } from '../refusal.ts'
import { existingStateDirectory, readStates } from '../state-directory.ts'
import { emptyVerification } from '../verify/verification.ts'
import { verifyLog } from '../verify/verify-log.ts'
import { verifyStates } from '../verify/verify-states.ts'
import { verifyText } from '../view/verify.ts'

const MISMATCH = 1

export async function run(host: Host, options: Given<typeof VERIFY.options>): Promise<number> {
  const found = emptyVerification()
  for (const name of options.log)
    await verifyLog(resolve(host.cwd, name), name, found, host.calendars, host.curves)
  if (options.log.length === 0 || options['state-dir'] !== undefined) {
    const directory = existingStateDirectory(host, options)
    const entries = saltedEntries(loadEntries(host, options), saltingOf(host, {}))
    verifyStates(await readStates(directory, host.now()), directory, entries, found)
  }
  const matches = found.mismatches.length === 0 && found.unreadable.length === 0
  if (options.format === 'json') printJson(host, { matches, ...found })
  else printLines(host, verifyText(found, host.terminal))
  return matches ? OK : MISMATCH
}
