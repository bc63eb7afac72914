import type { Given } from '@kron/cli'
import { explain, explanationRecordOf, parseInstant, prev, printInstant } from '@kron/core'
import { Entry } from '@kron/host'
import { instantOption } from '../arguments.ts'
import type { Host } from '../host.ts'
import { loadEntries } from '../load.ts'
import { printJson, printLines } from '../print.ts'
import type { EXPLAIN } from '../program/foresee.ts'
import { BAD_INPUT, OK, Refusal } from '../refusal.ts'
import { selectEntry } from '../select.ts'
import { explainText } from '../view/explain.ts'

export function run(
  host: Host,
  options: Given<typeof EXPLAIN.options>,
  [job = '']: readonly string[],
): number {
  const at = instantOption('at', options.at, host)
  const entry = underIdentity(selectEntry(loadEntries(host, options), job), options.identity)
  const nominal = options.period === undefined ? currentPeriod(entry, at) : namedPeriod(entry, options.period)
  const explanation = explain(entry, nominal)
  if (options.format === 'json') printJson(host, explanationRecordOf(explanation))
  else printLines(host, explainText(entry, explanation, at, host.terminal))
  return OK
}

/** The entry as it would decide under another identity. */
export function underIdentity(entry: Entry, identity: string | undefined): Entry {
  if (identity === undefined) return entry
  const { schedule, command, shell, settings, description, line } = entry
  return new Entry(identity, schedule, command, shell, settings, description, line)
}

function currentPeriod({ schedule, name }: Entry, at: number): number {
  const nominal = prev(schedule.cron, schedule.zone, at)
  if (nominal !== undefined) return nominal
  throw new Refusal(BAD_INPUT, `${name} has no period at or before ${printInstant(at)}`)
}

function namedPeriod({ schedule, name }: Entry, text: string): number {
  const instant = parseInstant(text)
  if (!instant.ok)
    throw new Refusal(BAD_INPUT, `--period: ${instant.faults[0]!.message}`, instant.faults[0]!.hint)
  const nominal = prev(schedule.cron, schedule.zone, instant.value)
  if (nominal === instant.value) return nominal
  const hint = nominal === undefined ? undefined : `the period before it is ${printInstant(nominal)}`
  throw new Refusal(BAD_INPUT, `${text} is not a period of ${name}`, hint)
}
