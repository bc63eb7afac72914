import { createHash } from 'node:crypto'
import type { Viewer } from '../api/viewer.ts'
import type { Subject } from './subject.ts'

/**
 * Identifies the content of every answer that changes only when something happens. Each viewer has its own: an answer
 * that a browser cached for one viewer must never be shown to another.
 */
export function etagOf(subject: Subject, viewer: Viewer): string {
  const who = viewer.kind === 'user' ? `${viewer.uid}` : viewer.kind === 'token' ? viewer.scope : viewer.kind
  return `W/"${subject.instance}.${subject.ledger.revision}.${who}.${pauseMark(subject)}"`
}

/** Changes when a pause is added, begins, ends or is removed: none of these has an event. */
function pauseMark({ operations, now }: Subject): string {
  const pauses = operations?.pauses() ?? []
  if (pauses.length === 0) return ''
  const marks = pauses.map(
    ({ id, from, until }) => `${id} ${from <= now()} ${until !== null && until <= now()}`,
  )
  return createHash('sha256').update(marks.join()).digest('base64url').slice(0, 12)
}
