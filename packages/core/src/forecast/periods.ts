import { next } from '../cron/search.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { endOffset, startOffset } from '../schedule/window.ts'

/** The periods whose windows touch [from, to), by their nominal times. */
export function* periodsWithin(schedule: Schedule, from: number, to: number): Iterable<number> {
  const { cron, zone, window } = schedule
  const last = to - startOffset(window)
  let nominal = next(cron, zone, from - endOffset(window) - 1)
  while (nominal !== undefined && nominal < last) {
    yield nominal
    nominal = next(cron, zone, nominal)
  }
}
