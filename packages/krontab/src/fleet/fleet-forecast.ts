import { withProgress } from '@kron/cli'
import {
  addFleetToForecast,
  differsByHost,
  type Forecast,
  PeriodOfFleet,
  periodsWithin,
  type SaltPlace,
} from '@kron/core'
import type { Entry } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { readHosts } from './hosts-file.ts'
import { saltAt } from './salts.ts'

/** A second with many starts. */
export interface BusySecond {
  readonly second: number
  readonly starts: number
  /** The first few starts, in the order of the job files. */
  readonly runs: readonly { readonly host: string; readonly job: string }[]
}

export interface FleetCount {
  readonly hosts: number
  readonly starts: number
  readonly busiestSeconds: readonly BusySecond[]
}

const BUSIEST = 5
const NAMES = 5

/** Adds up the starts of every job on every host of a file. Its memory use does not grow with the fleet. */
export function forecastFleet(
  context: CommandContext,
  file: string,
  entries: readonly Entry[],
  otherwise: string,
  forecast: Forecast,
): FleetCount {
  const { from, to } = forecast
  const perSecond = new Uint32Array(to - from)
  let hosts = 0
  let starts = 0
  const { busiest, runs } = withProgress(context, 'deciding', show => {
    for (const { places, done, total } of readHosts(context, file)) {
      hosts += places.length
      const salts = saltsOn(places, otherwise)
      for (const [i, entry] of entries.entries()) {
        show(done * entries.length + i, total * entries.length + entries.length)
        addFleetToForecast(forecast, entry, salts(entry), chosen => {
          perSecond[chosen - from]! += 1
          starts++
        })
      }
    }
    const busiest = fullest(perSecond, BUSIEST).map(index => from + index)
    return { busiest, runs: namesOf(context, file, entries, otherwise, busiest) }
  })
  return {
    hosts,
    starts,
    busiestSeconds: busiest.map((second, i) => ({
      second,
      starts: perSecond[second - from]!,
      runs: runs[i]!,
    })),
  }
}

/** The salts of a job on each of the hosts; jobs with the same salt in their files are expanded once. */
function saltsOn(places: readonly SaltPlace[], otherwise: string): (entry: Entry) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return entry => {
    const written = entry.schedule.seed.salt || otherwise
    const found = known.get(written)
    if (found !== undefined) return found
    const salts = differsByHost(written)
      ? places.map(place => saltAt(written, place, `${entry.name}: `))
      : new Array<string>(places.length).fill(saltAt(written, places[0]!, `${entry.name}: `))
    known.set(written, salts)
    return salts
  }
}

/** The indices of the largest counts; of equal ones the earlier comes first; zeros are left out. */
function fullest(counts: Uint32Array, most: number): number[] {
  const best: number[] = []
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0 || (best.length === most && counts[i]! <= counts[best[most - 1]!]!)) continue
    let at = best.length
    while (at > 0 && counts[best[at - 1]!]! < counts[i]!) at--
    best.splice(at, 0, i)
    if (best.length > most) best.pop()
  }
  return best
}

/** Goes through the fleet again, only far enough to name a few starts of each second. */
function namesOf(
  context: CommandContext,
  file: string,
  entries: readonly Entry[],
  otherwise: string,
  seconds: readonly number[],
): BusySecond['runs'][] {
  const runs = seconds.map((): { host: string; job: string }[] => [])
  for (const { places } of readHosts(context, file)) {
    const salts = saltsOn(places, otherwise)
    for (const [i, second] of seconds.entries()) {
      for (const entry of entries) {
        if (runs[i]!.length >= NAMES) break
        if (entry.schedule.policy.suspend) continue
        for (const nominal of periodsWithin(entry.schedule, second, second + 1)) {
          const period = new PeriodOfFleet(entry, nominal)
          for (const [k, salt] of salts(entry).entries()) {
            if (runs[i]!.length < NAMES && period.chosen(salt) === second)
              runs[i]!.push({ host: places[k]!.host, job: entry.name })
          }
        }
      }
    }
    if (runs.every(each => each.length >= NAMES)) break
  }
  return runs
}
