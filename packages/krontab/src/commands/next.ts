import { type Given, Progress } from '@kron/cli'
import { type Decision, printInstant, recordOf, upcoming } from '@kron/core'
import type { Entry } from '@kron/host'
import { countOption, instantOption } from '../arguments.ts'
import { saltedEntries, saltingOf } from '../fleet/salts.ts'
import { freezeLines, pausedDocument, pausedPeriods, readPauses } from '../freezes.ts'
import type { Host } from '../host.ts'
import { loadEntries } from '../load.ts'
import { printJson, printLines } from '../print.ts'
import type { NEXT } from '../program/foresee.ts'
import { BAD_INPUT, OK, Refusal } from '../refusal.ts'
import { selectEntry } from '../select.ts'
import { soonest } from '../soonest.ts'
import { nextOfAllText, nextOfOneText } from '../view/next.ts'
import { fallbackWarnings } from '../view/weights.ts'
import { isSchedule, scheduleAlone, underIdentity } from './explain.ts'

const MOST = 100_000

export function run(host: Host, options: Given<typeof NEXT.options>, [job]: readonly string[]): number {
  const at = instantOption('at', options.at, host)
  const count = countOption('count', options.count, 10, MOST)
  if (job === undefined && options.identity !== undefined) {
    throw new Refusal(BAD_INPUT, '--identity needs a job', 'name the job whose schedule it has')
  }
  const written = job !== undefined && isSchedule(job) ? [scheduleAlone(job)] : loadEntries(host, options)
  const entries = saltedEntries(written, saltingOf(host, options))
  const found = job === undefined ? undefined : isSchedule(job) ? entries[0]! : selectEntry(entries, job)
  const entry = found === undefined ? undefined : underIdentity(found, options.identity)
  // A start at `at` itself belongs to the current period, which `explain --at` shows.
  const from = at + 1
  const decisions = entry === undefined ? ofAll(host, entries, from, count) : ofOne(entry, from, count)
  const pauses = readPauses(host)
  const paused = pausedPeriods(pauses, decisions)
  for (const warning of fallbackWarnings(decisions)) host.err(warning)
  if (options.format === 'json') {
    const name = entry?.name ?? null
    printJson(host, {
      job: name,
      anchor: printInstant(at),
      count: decisions.length,
      decisions: decisions.map(recordOf),
      ...(paused.length === 0 ? {} : { paused: pausedDocument(paused) }),
    })
    return OK
  }
  const planned = { decisions, paused }
  if (entry === undefined) printLines(host, nextOfAllText(planned, entries.length, at, host.terminal))
  else printLines(host, nextOfOneText(entry, planned, at, host.terminal))
  printLines(host, freezeLines(pauses, paused))
  return OK
}

function ofOne(entry: Entry, from: number, count: number): Decision[] {
  const decisions: Decision[] = []
  for (const decision of upcoming(entry, from)) {
    decisions.push(decision)
    if (decisions.length === count) break
  }
  return decisions
}

function ofAll(host: Host, entries: readonly Entry[], from: number, count: number): Decision[] {
  const progress = new Progress(host, 'deciding')
  const decisions = soonest(entries, from, count, (done, total) => progress.show(done, total))
  progress.clear()
  return decisions
}
