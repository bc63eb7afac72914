import type { PauseRecord } from '../api/records.ts'
import { momentText, type ZoneName } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'

interface PauseTextProps {
  readonly pause: PauseRecord
  readonly zone: ZoneName
  readonly now: number
}

/** When a pause holds, who asked for it and why. */
export function PauseText({ pause, zone, now }: PauseTextProps) {
  const from = secondsOf(pause.from) ?? now
  const until = secondsOf(pause.until)
  return (
    <span class="faint">
      {from > now ? 'from' : 'since'} {momentText(from, zone)}
      {until === undefined ? ', until somebody resumes it' : ` until ${momentText(until, zone)}`} ({zone})
      {pause.reason !== '' && `: ${pause.reason}`}
      {pause.by !== null && `, by ${pause.by}`}
    </span>
  )
}
