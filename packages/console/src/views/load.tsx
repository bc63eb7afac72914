import { useMemo, useState } from 'preact/hooks'
import type { ForecastRecord, LoadRecord, OverviewRecord } from '../api/records.ts'
import { Figure } from '../components/figure.tsx'
import { Loading, Notice, Problem } from '../components/notice.tsx'
import { Segments } from '../components/segments.tsx'
import { useWorld, zoneOf } from '../context.ts'
import { BalanceSuggestion } from '../load/balance.tsx'
import { BucketNames } from '../load/bucket-names.tsx'
import { LoadChart, type Shade } from '../load/load-chart.tsx'
import { bucketSeconds } from '../model/forecast.ts'
import { countText, jobsText, momentText, ratioText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { useAnswer } from '../model/use-answer.ts'
import { amend, type ViewParameters } from '../route.ts'

const BUCKETS = [
  { name: '10 s', value: '10s', seconds: 10 },
  { name: '1 min', value: '1m', seconds: 60 },
  { name: '5 min', value: '5m', seconds: 300 },
] as const
const TIMES = [
  { name: '1 hour', value: '1h', seconds: 3_600 },
  { name: '5 hours', value: '5h', seconds: 18_000 },
  { name: '1 day', value: '24h', seconds: 86_400 },
  { name: '7 days', value: '168h', seconds: 604_800 },
] as const
/** As many as krond forecasts at once. */
const MOST_BUCKETS = 2_016
const TOO_LONG = 'Choose longer buckets for so long a time'

/** Planned starts, beside the same jobs without windows. */
export function Load({ parameters }: { readonly parameters: ViewParameters }) {
  const world = useWorld()
  const zone = zoneOf(parameters)
  const bucket = BUCKETS.find(each => each.value === parameters['bucket']) ?? BUCKETS[0]
  const fits = (seconds: number): boolean => seconds / bucket.seconds <= MOST_BUCKETS
  const times = TIMES.map(each => ({ ...each, obstacle: fits(each.seconds) ? undefined : TOO_LONG }))
  const asked = TIMES.find(each => each.value === parameters['for']) ?? TIMES[0]
  const time = fits(asked.seconds) ? asked : TIMES.findLast(each => fits(each.seconds))!
  const { value, problem } = useAnswer<ForecastRecord>(
    'forecast',
    { for: time.value, bucket: bucket.value },
    world.jobsVersion,
  )
  const overview = useAnswer<OverviewRecord>('overview', {}, world.jobsVersion)
  const shades = (overview.value?.pauses ?? [])
    .filter(each => each.identity === null)
    .map(each => ({ from: secondsOf(each.from) ?? 0, to: secondsOf(each.until) ?? Number.POSITIVE_INFINITY }))
  return (
    <section class="page load" aria-label="Load">
      <div class="toolbar">
        <Segments
          legend="Length of a bucket"
          choices={BUCKETS}
          chosen={bucket.value}
          onChoose={value => amend({ bucket: value })}
        />
        <Segments
          legend="How far to look ahead"
          choices={times}
          chosen={time.value}
          onChoose={value => amend({ for: value })}
        />
        <span class="faint">starts per {bucket.name}</span>
      </div>
      {problem !== undefined ? (
        <Problem problem={problem} />
      ) : value === undefined ? (
        <Loading />
      ) : (
        <>
          <Charts key={`${bucket.value} ${time.value}`} forecast={value} zone={zone} shades={shades} />
          <BalanceSuggestion
            key={`${bucket.value} ${time.value} ${world.jobsVersion}`}
            jobs={world.jobs}
            from={secondsOf(value.from) ?? 0}
            seconds={time.seconds}
            bucket={bucket}
            time={time.value}
          />
        </>
      )}
    </section>
  )
}

interface ChartsProps {
  readonly forecast: ForecastRecord
  readonly zone: ZoneName
  readonly shades: readonly Shade[]
}

function Charts({ forecast, zone, shades }: ChartsProps) {
  const { kron, plain, buckets } = forecast
  const [selected, setSelected] = useState<number>()
  const spread = useMemo(() => buckets.map(each => each.kron), [buckets])
  const alike = useMemo(() => buckets.map(each => each.plain), [buckets])
  if (plain.total === 0 && kron.total === 0)
    return (
      <Notice title="Nothing is planned in this time">Every job is suspended, or none is due so soon.</Notice>
    )
  const from = secondsOf(forecast.from) ?? 0
  const bucket = bucketSeconds(forecast)
  const most = Math.max(kron.peak, plain.peak)
  const common = { from, bucket, most, zone, shades, selected, onSelect: setSelected }
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
        <Figure label="starts planned" value={countText(kron.total)} note={lostText(forecast)} />
      </div>
      <LoadChart {...common} title="With windows" kind="kron" starts={spread} peak={peakText(kron, zone)} />
      <LoadChart
        {...common}
        title="The same jobs without windows"
        kind="plain"
        starts={alike}
        peak={peakText(plain, zone)}
      />
      {selected === undefined ? (
        <p class="faint">Choose a bar to see which jobs start in it.</p>
      ) : (
        <BucketNames from={from + selected * bucket} to={from + (selected + 1) * bucket} zone={zone} />
      )}
    </>
  )
}

const lostText = ({ jobs, lostToPauses }: ForecastRecord): string =>
  lostToPauses === 0
    ? `by ${jobsText(jobs)}`
    : `by ${jobsText(jobs)}; ${countText(lostToPauses)} more lost to pauses`

const atText = ({ peakAt }: LoadRecord, zone: ZoneName): string =>
  peakAt === null ? '' : `at ${momentText(secondsOf(peakAt) ?? 0, zone)}`

const peakText = ({ peak, peakAt }: LoadRecord, zone: ZoneName): string =>
  peakAt === null ? 'no starts' : `peak ${countText(peak)} at ${momentText(secondsOf(peakAt) ?? 0, zone)}`
