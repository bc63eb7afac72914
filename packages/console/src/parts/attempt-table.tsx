import type { ExplanationRecord } from '@kron/core'
import { clockText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'

interface AttemptTableProps {
  readonly answer: ExplanationRecord
  readonly zone: ZoneName
  readonly jobZone: ZoneName | undefined
}

/** Every sample. Constraints are written in the job's zone: if that shows other times, its times are told too. */
export function AttemptTable({ answer, zone, jobZone }: AttemptTableProps) {
  if (answer.attempts.length === 0) return null
  const nominal = secondsOf(answer.nominalTime) ?? 0
  const own =
    jobZone !== undefined && clockText(nominal, jobZone) !== clockText(nominal, zone) ? jobZone : undefined
  return (
    <div class="scroll-x">
      <table class="attempts">
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">u</th>
            <th scope="col">x</th>
            <th scope="col">offset</th>
            <th scope="col">candidate</th>
            {own !== undefined && <th scope="col">in {own}</th>}
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
                {own !== undefined && <td>{clockText(at, own)}</td>}
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
