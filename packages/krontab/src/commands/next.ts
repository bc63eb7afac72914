import { type Given, Progress } from '@kron/cli'
import { type Decision, printInstant, recordOf, upcoming } from '@kron/core'
import type { Entry } from '@kron/host'
import { countOption, instantOption } from '../arguments.ts'
import { saltedEntries, saltingOf } from '../fleet/salts.ts'
import { freezeLines } from '../freezes.ts'
import type { Host } from '../host.ts'
import { loadEntries } from '../load.ts'
import { printJson, printLines } from '../print.ts'
import type { NEXT } from '../program/foresee.ts'
import { BAD_INPUT, OK, Refusal } from '../refusal.ts'
import { selectEntry } from '../select.ts'
import { soonest } from '../soonest.ts'
import { nextOfAllText, nextOfOneText } from '../view/next.ts'
import { underIdentity } from './explain.ts'

const MOST = 100_000

export function run(host: Host, options: Given<typeof NEXT.options>, [job]: readonly string[]): number {
  const at = instantOption('at', options.at, host)
  const count = countOption('count', options.count, 10, MOST)
  if (job === undefined && options.identity !== undefined) {
    throw new Refusal(BAD_INPUT, '--identity needs a job', 'name the job whose schedule it has')
  }
  const entries = saltedEntries(loadEntries(host, options), saltingOf(host, options))
  const entry = job === undefined ? undefined : underIdentity(selectEntry(entries, job), options.identity)
  // A start at `at` itself belongs to the current period, which `explain --at` shows.
  const from = at + 1
  const decisions = entry === undefined ? ofAll(host, entries, from, count) : ofOne(entry, from, count)
  if (options.format === 'json') {
    const name = entry?.name ?? null
    printJson(host, {
      job: name,
      anchor: printInstant(at),
      count: decisions.length,
      decisions: decisions.map(recordOf),
    })
  } else if (entry === undefined)
    printLines(host, nextOfAllText(decisions, entries.length, at, host.terminal))
  else printLines(host, nextOfOneText(entry, decisions, at, host.terminal))
  if (options.format !== 'json') printLines(host, freezeLines(host, decisions))
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
