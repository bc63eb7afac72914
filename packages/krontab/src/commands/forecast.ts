import { type Given, Progress } from '@kron/cli'
import { addToForecast, emptyForecast, LATEST, printInstant } from '@kron/core'
import { countOption, instantOption, secondsOption } from '../arguments.ts'
import { Minutes } from '../busiest.ts'
import { forecastFleet } from '../fleet/fleet-forecast.ts'
import { defaultSalt, saltedEntries, saltingOf } from '../fleet/salts.ts'
import { pausesOf, readPauses } from '../freezes.ts'
import type { Host } from '../host.ts'
import { loadEntries } from '../load.ts'
import { type Outlook, outlookDocument } from '../outlook.ts'
import { printJson, printLines } from '../print.ts'
import type { FORECAST } from '../program/foresee.ts'
import { BAD_INPUT, OK, Refusal } from '../refusal.ts'
import { forecastText } from '../view/forecast.ts'

const MOST_BUCKETS = 100_000
const LONGEST = 366 * 86_400
const BUSIEST = 5

export function run(host: Host, options: Given<typeof FORECAST.options>): number {
  const length = secondsOption('for', options.for, 86_400)
  const bucket = secondsOption('bucket', options.bucket, 300)
  const at = instantOption('at', options.at, host)
  // Buckets start at round times.
  const from = at - (at % bucket)
  const capacity =
    options.capacity === undefined ? undefined : countOption('capacity', options.capacity, 1, 1e9)
  checkSize(from, length, bucket)
  const written = loadEntries(host, options)
  const forecast = emptyForecast(from, from + length, bucket)
  const outlook = { forecast, jobs: written.length, capacity }
  if (options.hosts !== undefined && options.host === undefined) {
    const { text } = defaultSalt(host, options)
    const fleet = forecastFleet(host, options.hosts, written, text, forecast)
    return show(host, options, { ...outlook, busiest: [], fleet })
  }
  const entries = saltedEntries(written, saltingOf(host, options))
  const minutes = new Minutes()
  const everyPause = readPauses(host).filter(each => each.from < forecast.to)
  let lost = 0
  const progress = new Progress(host, 'deciding')
  for (const [i, entry] of entries.entries()) {
    if (i % 256 === 0) progress.show(i, entries.length)
    const pauses = pausesOf(everyPause, entry.identity)
    const onStart = (at: number): void => minutes.add(entry, at)
    lost += addToForecast(forecast, entry, { pauses, onStart })
  }
  progress.clear()
  return show(host, options, {
    ...outlook,
    busiest: minutes.busiest(BUSIEST),
    pauses: { all: everyPause, lost },
  })
}

function show(host: Host, options: Given<typeof FORECAST.options>, outlook: Outlook): number {
  if (options.format === 'json') printJson(host, outlookDocument(outlook))
  else printLines(host, forecastText(outlook, host.terminal))
  return OK
}

function checkSize(from: number, length: number, bucket: number): void {
  if (length > LONGEST) throw new Refusal(BAD_INPUT, '--for is longer than a year', 'write at most 8784h')
  if (from + length > LATEST) throw new Refusal(BAD_INPUT, `the forecast ends after ${printInstant(LATEST)}`)
  if (length / bucket > MOST_BUCKETS) {
    throw new Refusal(
      BAD_INPUT,
      `that would be more than ${MOST_BUCKETS} buckets`,
      'choose a longer --bucket',
    )
  }
}
