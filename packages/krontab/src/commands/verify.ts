import { resolve } from 'node:path'
import { printJson, printLines } from '../context/print.ts'
import { BAD_INPUT, OK } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { existingStateDirectory, readStates } from '../daemon/state-directory.ts'
import { saltedEntries, saltingOf } from '../fleet/salts.ts'
import { loadEntries } from '../job-files/load.ts'
import type { VERIFY } from '../program/history-commands.ts'
import { emptyVerification } from '../verify/verification.ts'
import { verifyLog } from '../verify/verify-log.ts'
import { verifyStates } from '../verify/verify-states.ts'
import { verifyText } from '../view/verify.ts'

const MISMATCH = 1

export const run: Run<typeof VERIFY> = async (context, options) => {
  const found = emptyVerification()
  for (const name of options.log)
    await verifyLog(resolve(context.cwd, name), name, found, context.calendars, context.curves)
  if (options.log.length === 0 || options['state-dir'] !== undefined) {
    const directory = existingStateDirectory(context, options, BAD_INPUT)
    const entries = saltedEntries(loadEntries(context, options), saltingOf(context, {}))
    verifyStates(await readStates(directory, context.now()), directory, entries, found)
  }
  const matches = found.mismatches.length === 0 && found.unreadable.length === 0
  if (options.format === 'json') printJson(context, { matches, ...found })
  else printLines(context, verifyText(found, context.terminal))
  return matches ? OK : MISMATCH
}
