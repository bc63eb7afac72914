import {
  addToForecast,
  caret,
  emptyForecast,
  type Fault,
  type Job,
  loadOf,
  parseSchedule,
  unschedulableChance,
  upcoming,
} from '@kron/core'
import { useMemo } from 'preact/hooks'
import type { ForecastRecord } from '../api/records.ts'
import { useWorld } from '../context.ts'
import { clockText, countText, momentText, ratioText, relativeText } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { useAnswer } from '../model/use-answer.ts'
import { DensityPlot, PLOT_WIDTH } from '../parts/density-plot.tsx'
import { LoadChart } from '../parts/load-chart.tsx'
import { Notice } from '../parts/notice.tsx'
import { amend } from '../route.ts'
import { bucketSeconds, Figure } from './load.tsx'

const EXAMPLE = '0 2 * * * @tz(Europe/Paris) @win(after,2h) @dist(skewEarly) @avoid(dow=SUN)'
const NEXT = 20

/** A schedule as it is typed: what is wrong with it, or what it would do. */
export function Playground({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const text = parameters['s'] ?? EXAMPLE
  const identity = parameters['as'] ?? '/etc/krond.d/new.kron:new'
  const parsed = useMemo(() => parseSchedule(text.trim()), [text])
  return (
    <section class="page playground" aria-label="Playground">
      <div class="panel">
        <label class="field">
          <span>Schedule</span>
          <input
            class="mono"
            value={text}
            spellcheck={false}
            autocomplete="off"
            aria-invalid={!parsed.ok}
            aria-describedby="faults"
            onInput={event => amend({ s: event.currentTarget.value })}
          />
        </label>
        <label class="field narrow">
          <span>Identity</span>
          <input
            class="mono"
            value={identity}
            spellcheck={false}
            onInput={event => amend({ as: event.currentTarget.value })}
          />
        </label>
        <div id="faults" aria-live="polite">
          {parsed.ok ? (
            <p class="good">✓ a valid schedule</p>
          ) : (
            <Faults source={text.trim()} faults={parsed.faults} />
          )}
        </div>
      </div>
      {parsed.ok && <Preview job={{ identity, schedule: parsed.value }} />}
    </section>
  )
}

const Faults = ({ source, faults }: { readonly source: string; readonly faults: readonly Fault[] }) => (
  <ul class="faults">
    {faults.map(fault => (
      <li key={`${fault.at} ${fault.message}`}>
        <pre>{caret({ source, column: fault.at + 1, length: fault.length })}</pre>
        <p class="bad">{fault.message}</p>
        {fault.hint !== undefined && <p class="faint">hint: {fault.hint}</p>}
      </li>
    ))}
  </ul>
)

function Preview({ job }: { readonly job: Job }) {
  const world = useWorld()
  const now = Math.floor(world.now() / 60) * 60
  const zone = job.schedule.zone.name
  const runs = useMemo(() => {
    const found = []
    for (const decision of upcoming(job, now)) {
      found.push(decision)
      if (found.length === NEXT) break
    }
    return found
  }, [job.identity, job.schedule, now])
  const first = runs[0]
  if (first === undefined) return <Notice title="It never runs">There is no period left before 2200.</Notice>
  const chance = unschedulableChance(job.schedule, first.nominal)
  return (
    <>
      <div class="panel">
        <h2>The window of {momentText(first.nominal, zone)}</h2>
        {first.windowStart === first.windowEnd ? (
          <p>No window: it always runs at its nominal time.</p>
        ) : (
          <div class="attempt-plot">
            <svg
              viewBox={`0 0 ${PLOT_WIDTH} 90`}
              role="img"
              aria-label="How likely each part of the window is"
            >
              <defs>
                <pattern
                  id="hatch"
                  width="6"
                  height="6"
                  patternUnits="userSpaceOnUse"
                  patternTransform="rotate(45)"
                >
                  <rect width="2" height="6" class="hatch" />
                </pattern>
              </defs>
              <DensityPlot
                schedule={job.schedule}
                windowStart={first.windowStart}
                windowEnd={first.windowEnd}
                height={90}
              />
              {first.chosen !== null && (
                <line
                  class="chosen"
                  x1={
                    ((first.chosen - first.windowStart) / (first.windowEnd - first.windowStart)) * PLOT_WIDTH
                  }
                  x2={
                    ((first.chosen - first.windowStart) / (first.windowEnd - first.windowStart)) * PLOT_WIDTH
                  }
                  y1="0"
                  y2="90"
                />
              )}
            </svg>
            <div class="ends faint" aria-hidden="true">
              <span>{clockText(first.windowStart, zone)}</span>
              <span>{clockText(first.windowEnd, zone)}</span>
            </div>
          </div>
        )}
        {chance > 1e-9 && (
          <p class="bad">This period finds no allowed second with probability {chance.toPrecision(2)}.</p>
        )}
      </div>
      <div class="two">
        <div class="panel">
          <h2>
            Next {runs.length} runs in {zone}
          </h2>
          <ol class="next plain-list">
            {runs.map(run => (
              <li key={run.nominal}>
                <span>{run.chosen === null ? 'unschedulable' : momentText(run.chosen, zone)}</span>
                <span class="faint">
                  {run.chosen === null ? momentText(run.nominal, zone) : relativeText(run.chosen, now)}
                </span>
              </li>
            ))}
          </ol>
        </div>
        <Added job={job} />
      </div>
    </>
  )
}

/** What the load of the next day would be with this job. */
function Added({ job }: { readonly job: Job }) {
  const world = useWorld()
  const { value } = useAnswer<ForecastRecord>('forecast', { for: '24h', bucket: '5m' }, world.epoch)
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
              note={`now ${countText(value.kron.peak)}`}
              accent
            />
            <Figure
              label="peak / mean"
              value={ratioText(sum.load.ratio)}
              note={`now ${ratioText(value.kron.peakToMean)}`}
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
