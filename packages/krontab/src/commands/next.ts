import { withProgress } from '@kron/cli'
import { nextDecisions, printInstant, recordOf } from '@kron/core'
import { countOption, instantOption } from '../context/option-values.ts'
import { printJson, printLines } from '../context/print.ts'
import { badInput, OK } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { saltedEntries, saltingOf } from '../fleet/salts.ts'
import { freezeLines, pausedDocument, pausedPeriods, readPauses } from '../forecast/pauses.ts'
import { soonest } from '../forecast/soonest.ts'
import { loadEntries } from '../job-files/load.ts'
import { selectEntry } from '../job-files/select.ts'
import type { NEXT } from '../program/preview-commands.ts'
import { nextOfAllText, nextOfOneText } from '../view/next.ts'
import { fallbackWarnings } from '../view/weights.ts'
import { isSchedule, scheduleAlone, underIdentity } from './explain.ts'

const MOST = 100_000

export const run: Run<typeof NEXT> = (context, options, [job]) => {
  const at = instantOption('at', options.at, context)
  const count = countOption('count', options.count, 10, MOST)
  if (job === undefined && options.identity !== undefined)
    throw badInput('--identity needs a job', 'name the job whose schedule it has')
  const written = job !== undefined && isSchedule(job) ? [scheduleAlone(job)] : loadEntries(context, options)
  const entries = saltedEntries(written, saltingOf(context, options))
  const found = job === undefined ? undefined : isSchedule(job) ? entries[0]! : selectEntry(entries, job)
  const entry = found === undefined ? undefined : underIdentity(found, options.identity)
  // A start at `at` itself belongs to the current period, which `explain --at` shows.
  const from = at + 1
  const decisions =
    entry === undefined
      ? withProgress(context, 'deciding', show => soonest(entries, from, count, show))
      : nextDecisions(entry, from, count)
  const pauses = readPauses(context)
  const paused = pausedPeriods(pauses, decisions)
  for (const warning of fallbackWarnings(decisions)) context.err(warning)
  if (options.format === 'json') {
    printJson(context, {
      job: entry?.name ?? null,
      anchor: printInstant(at),
      count: decisions.length,
      decisions: decisions.map(recordOf),
      paused: pausedDocument(paused),
    })
    return OK
  }
  const planned = { decisions, paused }
  if (entry === undefined) printLines(context, nextOfAllText(planned, entries.length, at, context.terminal))
  else printLines(context, nextOfOneText(entry, planned, at, context.terminal))
  printLines(context, freezeLines(pauses, paused))
  return OK
}
