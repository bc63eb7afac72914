/** The work and the findings of a campaign or of a part of it. */
export interface Report {
  seconds: number
  executions: number
  crashes: number
  faults: Record<string, number>
  duplicates: number
  changedOutcomes: number
  unreadableStates: number
  violations: number
}

export type Part = 'krond' | 'scheduler'
export const PARTS: readonly Part[] = ['krond', 'scheduler']

export interface Finding {
  readonly part: Part
  readonly seed: number
  readonly message: string
}

export const emptyReport = (): Report => ({
  seconds: 0,
  executions: 0,
  crashes: 0,
  faults: {},
  duplicates: 0,
  changedOutcomes: 0,
  unreadableStates: 0,
  violations: 0,
})

/** Adds one report to another. */
export function add(total: Report, more: Report): void {
  total.seconds += more.seconds
  total.executions += more.executions
  total.crashes += more.crashes
  total.duplicates += more.duplicates
  total.changedOutcomes += more.changedOutcomes
  total.unreadableStates += more.unreadableStates
  total.violations += more.violations
  for (const [kind, count] of Object.entries(more.faults))
    total.faults[kind] = (total.faults[kind] ?? 0) + count
}

export const YEAR = 365 * 86_400

/** `30d`, `2y`: a span in seconds. */
export function spanOf(text: string): number {
  const [, count, unit] = /^(\d+)([dy])$/.exec(text) ?? []
  if (count === undefined) throw new RangeError(`a span is like 30d or 2y, got ${JSON.stringify(text)}`)
  return Number(count) * (unit === 'y' ? YEAR : 86_400)
}

export function summary(report: Report, minutes: number): string {
  const years = report.seconds / YEAR
  return (
    `${years.toFixed(1)} simulated years in ${minutes.toFixed(1)} min (${(years / minutes).toFixed(0)} a minute), ` +
    `${report.crashes} crashes, ${report.executions} executions, ${report.violations} violations`
  )
}
