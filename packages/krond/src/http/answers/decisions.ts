import { explain, explanationRecordOf, prev, printInstant } from '@kron/core'
import type { Viewer } from '../../api/viewer.ts'
import { nativeHash } from '../../native-hash.ts'
import type { Query } from '../query.ts'
import { Refusal } from '../refusal.ts'
import type { Work } from '../slices.ts'
import { findJob, type Subject } from '../subject.ts'

/** The explanation of one period, key for key what `krontab explain --format json` prints. */
export function* decision(subject: Subject, query: Query, viewer: Viewer): Work<object> {
  const wanted = query.instant('period')
  const { entry } = yield* findJob(subject, query.required('job'), viewer)
  const { cron, zone } = entry.schedule
  const nominal = prev(cron, zone, wanted ?? subject.now())
  if (nominal === undefined || (wanted !== undefined && nominal !== wanted)) {
    const hint = nominal === undefined ? undefined : `the period before it is ${printInstant(nominal)}`
    throw new Refusal(404, `this is not a period of ${entry.name}`, hint)
  }
  return explanationRecordOf(explain(entry, nominal, nativeHash))
}
