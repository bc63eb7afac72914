import type { AttemptRecord, ExplanationRecord } from '@kron/core'
import { clockText, momentText, spanText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { jobOf } from '../model/periods.ts'
import { whyNoPlot } from '../model/sample-plot.ts'
import { type Verification, verify } from '../model/verification.ts'
import { AttemptTable } from './attempt-table.tsx'
import { DensityPlot, Hatch, PLOT_WIDTH } from './density-plot.tsx'

export interface ExplanationProps {
  readonly answer: ExplanationRecord
  readonly schedule: string
  /** The job's, in which the explanation is told. */
  readonly zone: ZoneName
  /** The reader's. */
  readonly yours: ZoneName
}

/** Why a period runs when it runs, step by step: seed, samples, refusals, the chosen second. */
export function Explanation({ answer, schedule, zone, yours }: ExplanationProps) {
  const start = secondsOf(answer.windowStart) ?? 0
  const end = secondsOf(answer.windowEnd) ?? 0
  const nominal = secondsOf(answer.nominalTime) ?? 0
  const chosen = secondsOf(answer.chosenTime)
  return (
    <article class="panel explanation" aria-label="Explanation">
      <header>
        <h2>Why {chosen === undefined ? 'it cannot run' : `${clockText(chosen, zone)} (${zone})`}</h2>
        <Verdict verification={verify(answer, schedule)} />
      </header>
      <ol class="steps">
        <li>
          <h3>Period</h3>
          <p>
            The schedule names <b>{momentText(nominal, zone)}</b>. Its window is {spanText(end - start)}{' '}
            {answer.mode} that: <b>{clockText(start, zone)}</b> to <b>{clockText(end, zone)}</b>.
          </p>
        </li>
        <li>
          <h3>Seed</h3>
          <p class="seed">
            SHA-256 of <code>{answer.identity}</code> <span aria-hidden="true">·</span>{' '}
            <code>{answer.periodKey}</code> <span aria-hidden="true">·</span>{' '}
            <code>{answer.salt === '' ? 'no salt' : answer.salt}</code>
          </p>
          <p class="hash">
            <code>
              <b>{answer.seedHash.slice(0, 16)}</b>
              {answer.seedHash.slice(16)}
            </code>
          </p>
          <p class="faint">The first 8 bytes start the generator ({answer.seedStrategy} seed).</p>
        </li>
        <li>
          <h3>
            Samples{' '}
            <span class="faint">
              {answer.distribution}
              {parametersText(answer)}
            </span>
          </h3>
          <AttemptPlot answer={answer} schedule={schedule} start={start} end={end} zone={zone} />
          <AttemptTable answer={answer} zone={zone} yours={yours} />
        </li>
        <li>
          <h3>Chosen</h3>
          {chosen === undefined ? (
            <p class="bad">
              Unschedulable: {answer.reason}
              {answer.rejectedBy !== undefined && (
                <>
                  , refused by <code>{answer.rejectedBy}</code>
                </>
              )}
              .
            </p>
          ) : (
            <p>
              <b>{momentText(chosen, zone)}</b>, {spanText(chosen - start)} into the window, at attempt{' '}
              {answer.attemptCount} of at most {answer.maxAttempts}.
            </p>
          )}
        </li>
      </ol>
    </article>
  )
}

const parametersText = ({ params }: ExplanationRecord): string => {
  const pairs = Object.entries(params).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? '' : ` (${pairs.join(', ')})`
}

function Verdict({ verification }: { readonly verification: Verification }) {
  switch (verification.kind) {
    case 'same':
      return <p class="verdict good">✓ recomputed in this browser: identical</p>
    case 'differs':
      return <p class="verdict bad">✕ this browser differs in {verification.fields.join(', ')}</p>
    case 'unreadable':
      return <p class="verdict bad">✕ this console cannot read the schedule: its engine is another version</p>
  }
}

const ATTEMPT_ROW = 15
const MOST_DRAWN = 16

function AttemptPlot(props: Omit<ExplanationProps, 'yours'> & { start: number; end: number }) {
  const { answer, schedule, start, end, zone } = props
  const job = jobOf(answer.identity, schedule)
  const reason = whyNoPlot(job, start, end)
  if (job === undefined || reason !== undefined) return <p>{reason}</p>
  const curve = 72
  const drawn = answer.attempts.length > MOST_DRAWN ? answer.attempts.slice(-MOST_DRAWN) : answer.attempts
  const height = curve + drawn.length * ATTEMPT_ROW + 8
  const x = (at: number): number => ((at - start) / (end - start)) * PLOT_WIDTH
  const nominal = secondsOf(answer.nominalTime) ?? start
  return (
    <div class="attempt-plot">
      <svg viewBox={`0 0 ${PLOT_WIDTH} ${height}`} role="img" aria-label={summary(answer, zone)}>
        <Hatch />
        <DensityPlot schedule={job.schedule} windowStart={start} windowEnd={end} height={curve} />
        <line class="nominal" x1={x(nominal)} x2={x(nominal)} y1="0" y2={height} />
        {drawn.map((attempt, i) => (
          <Sample
            key={i}
            attempt={attempt}
            x={x(secondsOf(attempt.candidate) ?? start)}
            y={curve + 12 + i * ATTEMPT_ROW}
          />
        ))}
      </svg>
      <div class="ends faint" aria-hidden="true">
        <span>{clockText(start, zone)}</span>
        <span>dashed: nominal</span>
        <span>{clockText(end, zone)}</span>
      </div>
    </div>
  )
}

function Sample({
  attempt,
  x,
  y,
}: {
  readonly attempt: AttemptRecord
  readonly x: number
  readonly y: number
}) {
  return (
    <g class={attempt.accepted ? 'sample accepted' : 'sample'}>
      <line x1={x} x2={x} y1="4" y2={y} />
      <circle cx={x} cy={y} r={attempt.accepted ? 6 : 4} />
    </g>
  )
}

const summary = ({ attemptCount, chosenTime, attempts }: ExplanationRecord, zone: ZoneName): string => {
  const refused = attempts.filter(each => !each.accepted).length
  const end =
    chosenTime === null ? 'none was accepted' : `${clockText(secondsOf(chosenTime) ?? 0, zone)} was chosen`
  return `${attemptCount} samples in the window, ${refused} refused; ${end}`
}
