import type { Given } from '@kron/cli'
import { explain, explanationRecordOf, parseInstant, prev, printInstant } from '@kron/core'
import { Entry } from '@kron/host'
import { instantOption } from '../arguments.ts'
import { defaultSalt, type PlaceOptions, salted, saltingOf } from '../fleet/salts.ts'
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
  const written = underIdentity(selectEntry(loadEntries(host, options), job), options.identity)
  const entry = salted(written, saltingOf(host, options))
  const nominal = options.period === undefined ? currentPeriod(entry, at) : namedPeriod(entry, options.period)
  const explanation = explain(entry, nominal)
  const origin = saltOrigin(host, options, written)
  if (options.format === 'json')
    printJson(host, {
      ...explanationRecordOf(explanation),
      ...(origin === undefined ? {} : { saltOrigin: origin }),
    })
  else printLines(host, explainText(entry, explanation, at, origin, host.terminal))
  return OK
}

/** Where the salt of a job comes from, for a person; undefined: its own line says all there is to it. */
function saltOrigin(host: Host, options: PlaceOptions, { schedule }: Entry): string | undefined {
  const { salt } = schedule.seed
  if (salt !== '') return salt.includes('%') ? `${salt} from the job` : undefined
  const { text, from } = defaultSalt(host, options)
  return text === '' ? undefined : `${text} from ${from}`
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
