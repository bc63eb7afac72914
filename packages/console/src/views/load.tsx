import type { ForecastRecord, LoadRecord } from '../api/records.ts'
import { useWorld, zoneOf } from '../context.ts'
import { bucketSeconds } from '../model/forecast.ts'
import { countText, jobsText, momentText, ratioText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { useAnswer } from '../model/use-answer.ts'
import { Figure } from '../parts/figure.tsx'
import { LoadChart } from '../parts/load-chart.tsx'
import { Loading, Notice, Problem } from '../parts/notice.tsx'
import { amend } from '../route.ts'

const CHOICES = [
  { name: '6 hours', for: '6h', bucket: '1m' },
  { name: '1 day', for: '24h', bucket: '5m' },
  { name: '3 days', for: '72h', bucket: '15m' },
  { name: '7 days', for: '168h', bucket: '30m' },
] as const

/** Planned starts, beside the same jobs without windows. */
export function Load({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const world = useWorld()
  const zone = zoneOf(parameters)
  const choice = CHOICES.find(each => each.for === parameters['for']) ?? CHOICES[1]
  const { value, problem } = useAnswer<ForecastRecord>(
    'forecast',
    { for: choice.for, bucket: choice.bucket },
    world.epoch,
  )
  return (
    <section class="page load" aria-label="Load">
      <div class="toolbar">
        <fieldset class="segments">
          <legend class="sr">How far to look ahead</legend>
          {CHOICES.map(each => (
            <button
              key={each.for}
              type="button"
              aria-pressed={each === choice}
              onClick={() => amend({ for: each.for })}
            >
              {each.name}
            </button>
          ))}
        </fieldset>
        <span class="faint">starts per {choice.bucket} bucket</span>
      </div>
      {problem !== undefined ? (
        <Problem problem={problem} />
      ) : value === undefined ? (
        <Loading />
      ) : (
        <Charts forecast={value} zone={zone} />
      )}
    </section>
  )
}

function Charts({ forecast, zone }: { forecast: ForecastRecord; zone: ZoneName }) {
  const { kron, plain, buckets } = forecast
  if (plain.total === 0 && kron.total === 0)
    return (
      <Notice title="Nothing is planned in this time">Every job is suspended, or none is due so soon.</Notice>
    )
  const from = secondsOf(forecast.from) ?? 0
  const most = Math.max(kron.peak, plain.peak)
  const common = { from, bucket: bucketSeconds(forecast), most, zone }
  return (
    <>
      <div class="figures">
        <Figure label="peak with windows" value={countText(kron.peak)} note={atText(kron, zone)} accent />
        <Figure label="peak without" value={countText(plain.peak)} note={atText(plain, zone)} />
        <Figure
          label="peak / mean with windows"
          value={ratioText(kron.peakToMean)}
          note={`mean ${ratioText(kron.mean)}`}
          accent
        />
        <Figure
          label="peak / mean without"
          value={ratioText(plain.peakToMean)}
          note={`mean ${ratioText(plain.mean)}`}
        />
        <Figure label="starts planned" value={countText(kron.total)} note={`by ${jobsText(forecast.jobs)}`} />
      </div>
      <LoadChart
        {...common}
        title="With windows"
        kind="kron"
        starts={buckets.map(each => each.kron)}
        peak={peakText(kron, zone)}
      />
      <LoadChart
        {...common}
        title="The same jobs without windows"
        kind="plain"
        starts={buckets.map(each => each.plain)}
        peak={peakText(plain, zone)}
      />
      <BusiestTable forecast={forecast} zone={zone} />
    </>
  )
}

const atText = ({ peakAt }: LoadRecord, zone: ZoneName): string =>
  peakAt === null ? '' : `at ${momentText(secondsOf(peakAt) ?? 0, zone)}`

const peakText = ({ peak, peakAt }: LoadRecord, zone: ZoneName): string =>
  peakAt === null ? 'no starts' : `peak ${countText(peak)} at ${momentText(secondsOf(peakAt) ?? 0, zone)}`

function BusiestTable({ forecast, zone }: { forecast: ForecastRecord; zone: ZoneName }) {
  const busiest = forecast.buckets
    .toSorted((a, b) => b.kron - a.kron)
    .slice(0, 8)
    .filter(each => each.kron > 0)
  return (
    <details class="panel">
      <summary>The busiest buckets as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">from</th>
            <th scope="col">with windows</th>
            <th scope="col">without</th>
          </tr>
        </thead>
        <tbody>
          {busiest.map(each => (
            <tr key={each.start}>
              <td>{momentText(secondsOf(each.start) ?? 0, zone)}</td>
              <td class="number">{each.kron}</td>
              <td class="number">{each.plain}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
