import {
  caret,
  type Decision,
  type Fault,
  type Job,
  nextDecisions,
  parseSchedule,
  unschedulableChance,
} from '@kron/core'
import { useMemo } from 'preact/hooks'
import { Notice } from '../components/notice.tsx'
import { useWorld } from '../context.ts'
import { DensityPlot, Hatch, PLOT_WIDTH } from '../job/density-plot.tsx'
import { AddedLoad } from '../load/added-load.tsx'
import { clockText, momentText, relativeText, type ZoneName } from '../model/format.ts'
import { amend } from '../route.ts'

const EXAMPLE = '0 2 * * * @tz(Europe/Paris) @win(after,2h) @dist(skewEarly) @avoid(between=02:30-03:00)'
const NEXT = 20

interface PlaygroundProps {
  readonly parameters: Readonly<Record<string, string>>
  /** There is no daemon whose load could be shown. */
  readonly alone?: boolean
}

/** A schedule as it is typed: what is wrong with it, or what it would do. */
export function Playground({ parameters, alone = false }: PlaygroundProps) {
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
          <span>Identity (sets it apart from jobs like it)</span>
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
      {parsed.ok && <Preview job={{ identity, schedule: parsed.value }} alone={alone} />}
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

function Preview({ job, alone }: { readonly job: Job; readonly alone: boolean }) {
  const world = useWorld()
  const now = Math.floor(world.now() / 60) * 60
  const zone = job.schedule.zone.name
  const runs = useMemo(() => nextDecisions(job, now, NEXT), [job.identity, job.schedule, now])
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
          <WindowPlot decision={first} zone={zone} />
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
        {!alone && <AddedLoad job={job} />}
      </div>
    </>
  )
}

function WindowPlot({ decision, zone }: { readonly decision: Decision; readonly zone: ZoneName }) {
  const { job, windowStart, windowEnd, chosen } = decision
  const x = chosen === null ? 0 : ((chosen - windowStart) / (windowEnd - windowStart)) * PLOT_WIDTH
  return (
    <div class="attempt-plot">
      <svg viewBox={`0 0 ${PLOT_WIDTH} 90`} role="img" aria-label="How likely each part of the window is">
        <Hatch />
        <DensityPlot schedule={job.schedule} windowStart={windowStart} windowEnd={windowEnd} height={90} />
        {chosen !== null && <line class="chosen" x1={x} x2={x} y1="0" y2="90" />}
      </svg>
      <div class="ends faint" aria-hidden="true">
        <span>{clockText(windowStart, zone)}</span>
        {(job.schedule.constraints.only ?? job.schedule.constraints.avoid) !== undefined && (
          <span>hatched: refused by a constraint</span>
        )}
        <span>{clockText(windowEnd, zone)}</span>
      </div>
    </div>
  )
}
