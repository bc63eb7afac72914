import { type Given, withProgress } from '@kron/cli'
import { addToForecast, emptyForecast, LATEST, printInstant } from '@kron/core'
import type { CommandContext } from '../context/command-context.ts'
import { countOption, instantOption, secondsOption } from '../context/option-values.ts'
import { printJson, printLines } from '../context/print.ts'
import { badInput, OK } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { forecastFleet } from '../fleet/fleet-forecast.ts'
import { defaultSalt, saltedEntries, saltingOf } from '../fleet/salts.ts'
import { Minutes } from '../forecast/busiest.ts'
import { type Outlook, outlookDocument } from '../forecast/outlook.ts'
import { pausesOf, readPauses } from '../forecast/pauses.ts'
import { loadEntries } from '../job-files/load.ts'
import type { FORECAST } from '../program/preview-commands.ts'
import { forecastText } from '../view/forecast.ts'

const MOST_BUCKETS = 100_000
const LONGEST = 366 * 86_400
const BUSIEST = 5

export const run: Run<typeof FORECAST> = (context, options) => {
  const length = secondsOption('for', options.for, 86_400)
  const bucket = secondsOption('bucket', options.bucket, 300)
  const at = instantOption('at', options.at, context)
  // Buckets start at round times.
  const from = at - (at % bucket)
  const capacity =
    options.capacity === undefined ? undefined : countOption('capacity', options.capacity, 1, 1e9)
  checkSize(from, length, bucket)
  const written = loadEntries(context, options)
  const forecast = emptyForecast(from, from + length, bucket)
  const outlook = { forecast, jobs: written.length, capacity }
  if (options.hosts !== undefined && options.host === undefined) {
    const { text } = defaultSalt(context, options)
    const fleet = forecastFleet(context, options.hosts, written, text, forecast)
    return show(context, options, { ...outlook, busiest: [], fleet })
  }
  const entries = saltedEntries(written, saltingOf(context, options))
  const minutes = new Minutes()
  const everyPause = readPauses(context).filter(each => each.from < forecast.to)
  let lost = 0
  withProgress(context, 'deciding', show => {
    for (const [i, entry] of entries.entries()) {
      if (i % 256 === 0) show(i, entries.length)
      const pauses = pausesOf(everyPause, entry.identity)
      const onStart = (at: number): void => minutes.add(entry, at)
      lost += addToForecast(forecast, entry, { pauses, onStart })
    }
  })
  return show(context, options, {
    ...outlook,
    busiest: minutes.busiest(BUSIEST),
    pauses: { all: everyPause, lost },
  })
}

function show(context: CommandContext, options: Given<typeof FORECAST.options>, outlook: Outlook): number {
  if (options.format === 'json') printJson(context, outlookDocument(outlook))
  else printLines(context, forecastText(outlook, context.terminal))
  return OK
}

function checkSize(from: number, length: number, bucket: number): void {
  if (length > LONGEST) throw badInput('--for is longer than a year', 'write at most 8784h')
  if (from + length > LATEST) throw badInput(`the forecast ends after ${printInstant(LATEST)}`)
  if (length / bucket > MOST_BUCKETS)
    throw badInput(`that would be more than ${MOST_BUCKETS} buckets`, 'choose a longer --bucket')
}
