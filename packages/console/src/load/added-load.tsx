import { addToForecast, emptyForecast, type Job, loadOf } from '@kron/core'
import { useMemo } from 'preact/hooks'
import type { ForecastRecord } from '../api/records.ts'
import { Figure } from '../components/figure.tsx'
import { useWorld } from '../context.ts'
import { bucketSeconds } from '../model/forecast.ts'
import { countText, ratioText } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { useAnswer } from '../model/use-answer.ts'
import { LoadChart } from './load-chart.tsx'

/** The load of the next day with this job added. */
export function AddedLoad({ job }: { readonly job: Job }) {
  const world = useWorld()
  const { value } = useAnswer<ForecastRecord>('forecast', { for: '24h', bucket: '5m' }, world.jobsVersion)
  const sum = useMemo(() => {
    if (value === undefined) return undefined
    const from = secondsOf(value.from) ?? 0
    const bucket = bucketSeconds(value)
    const forecast = emptyForecast(from, secondsOf(value.to) ?? 0, bucket)
    addToForecast(forecast, job)
    const added = loadOf(forecast.spread).total
    for (const [i, each] of value.buckets.entries()) forecast.spread[i]! += each.kron
    return { from, bucket, added, starts: [...forecast.spread], load: loadOf(forecast.spread) }
  }, [value, job.identity, job.schedule])
  return (
    <div class="panel">
      <h2>The next day with it</h2>
      {value === undefined || sum === undefined ? (
        <p class="faint">The forecast of the daemon is not there.</p>
      ) : (
        <>
          <div class="figures">
            <Figure label="starts it adds" value={countText(sum.added)} note="in 24 hours" />
            <Figure
              label="peak"
              value={countText(sum.load.peak)}
              note={`${countText(value.kron.peak)} without it`}
              accent
            />
            <Figure
              label="peak / mean"
              value={ratioText(sum.load.ratio)}
              note={`${ratioText(value.kron.peakToMean)} without it`}
            />
          </div>
          <LoadChart
            title="Starts per 5m"
            kind="added"
            starts={sum.starts}
            from={sum.from}
            bucket={sum.bucket}
            most={sum.load.peak}
            zone={job.schedule.zone.name}
            peak={`peak ${countText(sum.load.peak)}`}
          />
        </>
      )}
    </div>
  )
}
