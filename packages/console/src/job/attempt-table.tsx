import type { ExplanationRecord } from '@kron/core'
import { isOther } from '../components/moment.tsx'
import { clockText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'

interface AttemptTableProps {
  readonly answer: ExplanationRecord
  /** The job's: constraints are written in it. */
  readonly zone: ZoneName
  readonly yours: ZoneName
}

/** Every sample, in the job's zone, and in the reader's where that shows other times. */
export function AttemptTable({ answer, zone, yours }: AttemptTableProps) {
  if (answer.attempts.length === 0) return null
  const other = isOther(secondsOf(answer.nominalTime) ?? 0, zone, yours)
  return (
    <div class="scroll-x">
      <table class="attempts">
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">u</th>
            <th scope="col">x</th>
            <th scope="col">offset</th>
            <th scope="col">candidate in {zone}</th>
            {other && <th scope="col">your time ({yours})</th>}
            <th scope="col">verdict</th>
          </tr>
        </thead>
        <tbody>
          {answer.attempts.map((attempt, i) => {
            const at = secondsOf(attempt.candidate) ?? 0
            return (
              <tr key={i} class={attempt.accepted ? 'accepted' : ''}>
                <td class="number">{i + 1}</td>
                <td class="number">{attempt.u.toFixed(6)}</td>
                <td class="number">{attempt.x.toFixed(6)}</td>
                <td class="number">{attempt.offset}s</td>
                <td>{clockText(at, zone)}</td>
                {other && <td>{clockText(at, yours)}</td>}
                <td>
                  {attempt.accepted ? (
                    '✓ accepted'
                  ) : (
                    <>
                      ✕ refused by <code>{attempt.rejectedBy}</code>
                    </>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
