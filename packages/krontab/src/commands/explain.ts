import {
  explain,
  explanationRecordOf,
  parseInstant,
  parseSchedule,
  prev,
  printInstant,
  upcoming,
} from '@kron/core'
import { DEFAULT_SETTINGS, Entry, hostZones } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { instantOption } from '../context/option-values.ts'
import { printJson, printLines } from '../context/print.ts'
import { badInput, OK, requireValue } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { defaultSalt, type PlaceOptions, salted, saltingOf } from '../fleet/salts.ts'
import { freezeLines, pausedDocument, pausedPeriods, readPauses } from '../forecast/pauses.ts'
import { loadEntries } from '../job-files/load.ts'
import { selectEntry } from '../job-files/select.ts'
import type { EXPLAIN } from '../program/preview-commands.ts'
import { explainText } from '../view/explain.ts'
import { fallbackWarnings } from '../view/weights.ts'

export const run: Run<typeof EXPLAIN> = (context, options, [job = '']) => {
  const at = instantOption('at', options.at, context)
  const found = isSchedule(job) ? scheduleAlone(job) : selectEntry(loadEntries(context, options), job)
  const written = underIdentity(found, options.identity)
  const entry = salted(written, saltingOf(context, options))
  const nominal =
    options.period !== undefined
      ? namedPeriod(entry, options.period)
      : options.at !== undefined
        ? currentPeriod(entry, at)
        : (upcoming(entry, at).next().value?.nominal ?? currentPeriod(entry, at))
  const explanation = explain(entry, nominal)
  const pauses = readPauses(context)
  const paused = pausedPeriods(pauses, [explanation.decision])
  const origin = saltOrigin(context, options, written)
  if (options.format === 'json')
    printJson(context, {
      ...explanationRecordOf(explanation),
      saltOrigin: origin,
      paused: pausedDocument(paused),
    })
  else {
    printLines(context, explainText(entry, explanation, at, origin, context.terminal))
    printLines(context, freezeLines(pauses, paused))
  }
  for (const warning of fallbackWarnings([explanation.decision])) context.err(warning)
  return OK
}

/** The origin of a job's salt, for a person; undefined: the job's own line says everything. */
function saltOrigin(context: CommandContext, options: PlaceOptions, { schedule }: Entry): string | undefined {
  const { salt } = schedule.seed
  if (salt !== '') return salt.includes('%') ? `${salt} from the job` : undefined
  const { text, from } = defaultSalt(context, options)
  return text === '' ? undefined : `${text} from ${from}`
}

/** The entry with the decisions of another identity. */
export function underIdentity(entry: Entry, identity: string | undefined): Entry {
  if (identity === undefined) return entry
  const { schedule, command, shell, settings, description, line } = entry
  return new Entry(identity, schedule, command, shell, settings, description, line)
}

/** A schedule contains blanks, the name of a job does not. */
export const isSchedule = (text: string): boolean => /[ \t]/.test(text.trim()) || /^@[a-z]+$/.test(text)

/** A job with only this schedule; --identity names the job for which it is tried. */
export function scheduleAlone(text: string): Entry {
  const schedule = requireValue(parseSchedule(text, undefined, hostZones().find), 'the schedule: ')
  return new Entry('example', schedule, '/bin/true', false, DEFAULT_SETTINGS, '', 1)
}

function currentPeriod({ schedule, name }: Entry, at: number): number {
  const nominal = prev(schedule.cron, schedule.zone, at)
  if (nominal !== undefined) return nominal
  throw badInput(`${name} has no period at or before ${printInstant(at)}`)
}

function namedPeriod({ schedule, name }: Entry, text: string): number {
  const instant = requireValue(parseInstant(text), '--period: ')
  const nominal = prev(schedule.cron, schedule.zone, instant)
  if (nominal === instant) return nominal
  const hint = nominal === undefined ? undefined : `the period before it is ${printInstant(nominal)}`
  throw badInput(`${text} is not a period of ${name}`, hint)
}
