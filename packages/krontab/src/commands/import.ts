import { join, resolve } from 'node:path'
import type { Given } from '@kron/cli'
import { addToForecast, emptyForecast, loadOf, suggestZone } from '@kron/core'
import { type Accounts, hostAccounts, hostZones } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { instantOption } from '../context/option-values.ts'
import { printJson } from '../context/print.ts'
import { badInput, INVALID, OK } from '../context/refusal.ts'
import { firstConfigDirectory } from '../daemon/places.ts'
import { Minutes } from '../forecast/busiest.ts'
import { compareConditions } from '../import/equivalence/conditions.ts'
import { compare } from '../import/equivalence/original.ts'
import { gather } from '../import/gather.ts'
import type { ImportedJob } from '../import/imported.ts'
import { type NewEntry, type NewFile, writeJobFile } from '../import/job-file.ts'
import { type Report, reportDocument, reportText, type Suggestion } from '../import/report.ts'
import { suggestWindows } from '../import/suggest.ts'
import { timingText } from '../import/timing.ts'
import { install } from '../job-files/install.ts'
import { trustOf } from '../job-files/load.ts'
import type { IMPORT } from '../program/import-command.ts'
import { forecastText } from '../view/forecast.ts'

type Options = Given<typeof IMPORT.options>

export async function run(
  context: CommandContext,
  options: Options,
  _words?: readonly string[],
  accounts: Accounts = hostAccounts(),
): Promise<number> {
  const { crontab, system, systemd, cronjob } = options
  const at = instantOption('at', options.at, context)
  if (cronjob.length > 0)
    throw badInput(
      `krontab does not convert CronJobs: kronctl convert -f ${cronjob[0]} does`,
      'kronctl comes with the operator: docs/guides/from-cronjob-to-kronjob.md',
    )
  if (crontab.length + system.length + systemd.length === 0)
    throw badInput('nothing to import', 'crontab -l | krontab import --crontab -')
  const wanted = {
    crontab,
    system,
    systemd,
    user: options.user,
    zone: zoneOption(options.timezone, context),
    kind: options.cron === 'cronie' ? ('cronie' as const) : ('debian' as const),
    salt: context.place().machine === undefined ? '%H' : '%m',
  }
  const conversions = gather(context, wanted, accounts)
  const path =
    options.output === undefined
      ? join(firstConfigDirectory(context), 'imported.kron')
      : resolve(context.cwd, options.output)
  const plain = writeJobFile(conversions, path)
  const windows = options.suggest ? suggestWindows(plain.entries, at) : new Map<string, number>()
  const retime = ({ timing }: ImportedJob, name: string) => ({
    ...timing,
    window: windows.get(name) ?? timing.window,
  })
  const file = windows.size === 0 ? plain : writeJobFile(conversions, path, retime)
  const suggestion = options.suggest ? suggestionOf(file, windows, at) : undefined
  const report: Report = {
    jobs: plain.entries.map(({ job, entry }, i) => ({
      name: entry.name,
      file: job.file,
      line: job.line,
      schedule: timingText(retime(job, file.entries[i]!.entry.name)),
      original: job.original,
      equivalence: compare(entry, job.original, at),
      conditions: compareConditions(job.conditions, entry, accounts),
    })),
    remarks: file.remarks,
    suggestion,
  }
  await deliver(context, options, file.text, report)
  return report.remarks.some(({ kind }) => kind === 'lost') ? INVALID : OK
}

async function deliver(
  context: CommandContext,
  options: Options,
  text: string,
  report: Report,
): Promise<void> {
  if (options.output !== undefined)
    await install({
      path: resolve(context.cwd, options.output),
      text,
      replace: options.replace,
      trust: trustOf(context),
    })
  if (options.format === 'json') return printJson(context, { jobFile: text, ...reportDocument(report) })
  if (options.output === undefined) context.data(text)
  const outlook = report.suggestion?.outlook
  const forecast = outlook === undefined ? [] : ['', ...forecastText(outlook, context.terminal)]
  context.err([...reportText(report), ...forecast].map(line => `${line}\n`).join(''))
}

function zoneOption(given: string | undefined, context: CommandContext): string {
  const { find } = hostZones()
  const name = given ?? (context.env['TZ'] || new Intl.DateTimeFormat().resolvedOptions().timeZone)
  const close = suggestZone(name, find)
  // Another spelling of the same name is accepted, another zone is not.
  const zone = find(name)?.name ?? (close?.toLowerCase() === name.toLowerCase() ? close : undefined)
  if (zone !== undefined) return zone
  throw badInput(`${JSON.stringify(name)} is not a time zone`, `--timezone ${close ?? 'Europe/Berlin'}`)
}

const DAY = 86_400
const BUCKET = 300

/** The next day with the suggested windows, beside the same day without them. */
function suggestionOf({ entries }: NewFile, windows: ReadonlyMap<string, number>, at: number): Suggestion {
  const from = at - (at % BUCKET)
  const forecast = emptyForecast(from, from + DAY, BUCKET)
  const byMinute = emptyForecast(from, from + DAY, 60)
  const minutes = new Minutes()
  for (const { entry } of entries as readonly NewEntry[]) {
    addToForecast(forecast, entry, { onStart: start => minutes.add(entry, start) })
    addToForecast(byMinute, entry)
  }
  return {
    windows,
    peakBefore: loadOf(byMinute.plain).peak,
    peakAfter: loadOf(byMinute.spread).peak,
    outlook: { forecast, jobs: entries.length, capacity: undefined, busiest: minutes.busiest(3) },
  }
}
