import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { parseInstant, printInstant } from '@kron/core'
import type { ActiveState, ManualRun } from '../state/state.ts'
import { parseRunEnd, type RunEnd } from './run-end.ts'

/** The last prefix that was asked for: the claims of one job are named in a row. */
let last: { readonly identity: string; readonly prefix: string } | undefined

/** Claims of one job share this beginning of their names. */
export function claimPrefix(identity: string): string {
  if (last?.identity !== identity) last = { identity, prefix: `${hash('sha256', identity, 'hex')}.` }
  return last.prefix
}

/** The claim's file name for a period. A period, unlike an execution, can be claimed only once. */
export const claimName = (identity: string, nominal: number): string =>
  `${claimPrefix(identity)}${printInstant(nominal).replace(/[-:]/g, '')}`

/** The claim's file name for a manual run: a request that is sent twice runs once. */
export const manualClaimName = (identity: string, requestId: string): string =>
  `${claimPrefix(identity)}trigger-${requestId}`

/** The claim of a run in a state. */
export const claimOf = (identity: string, run: ActiveState | ManualRun): string =>
  'RequestID' in run
    ? manualClaimName(identity, run.RequestID)
    : claimName(identity, Date.parse(run.PeriodID) / 1_000)

/** The nominal time of the period that a claim of this job names; undefined for another kind of claim. */
export function nominalOfClaim(name: string): number | undefined {
  const parts = /^[0-9a-f]{64}\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(name)
  if (parts === null) return undefined
  const [, year, month, day, hour, minute, second] = parts
  const instant = parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return instant.ok ? instant.value : undefined
}

/** A claim file's content. A damaged part never means that nothing was started. */
export interface Claim {
  readonly executionId: string | undefined
  readonly end: RunEnd | undefined
  /** Some part does not verify. */
  readonly isDamaged: boolean
}

const PARTS: readonly (readonly [from: number, to: number])[] = [
  [0, 1_024],
  [1_024, 2_048],
  [2_048, 4_096],
]

const NOTHING = Buffer.alloc(Math.max(...PARTS.map(([from, to]) => to - from)))

export function parseClaim(bytes: Buffer): Claim {
  const [claim, processes, end] = PARTS.map(([from, to]) => partLines(bytes.subarray(from, to)))
  const ended = end === undefined ? undefined : parseRunEnd(end)
  return {
    executionId: claim?.find(line => line.startsWith('execution '))?.slice('execution '.length),
    end: ended,
    isDamaged:
      claim?.[0] !== 'kron-claim 1' || processes === undefined || (ended === undefined && end?.length !== 0),
  }
}

/** The lines of a part that verifies; none if it is not written yet; undefined if it is damaged. */
function partLines(part: Buffer): readonly string[] | undefined {
  const nul = part.indexOf(0)
  const length = nul < 0 ? part.length : nul
  // One comparison is faster than a loop over about 4,000 bytes, and all claims of a burst are read.
  if (!part.subarray(length).equals(NOTHING.subarray(0, part.length - length))) return undefined
  return length === 0 ? [] : verifiedLines(part.toString('latin1', 0, length))
}

/** The lines of a text that ends with a line `crc XXXXXXXX` over everything before it. */
export function verifiedLines(text: string): readonly string[] | undefined {
  const found = /^crc ([0-9a-f]{8})\n$/m.exec(text)
  if (found === null || found.index + found[0].length !== text.length) return undefined
  const body = text.slice(0, found.index)
  if (crc32(Buffer.from(body, 'latin1')) !== Number.parseInt(found[1]!, 16)) return undefined
  return body.split('\n').slice(0, -1)
}
