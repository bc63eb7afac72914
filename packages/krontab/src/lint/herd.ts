import { differsByHost } from '@kron/core'
import type { Entry } from '@kron/host'
import { placeOf } from './finding.ts'
import { lineReader } from './line-reader.ts'
import type { Warning } from './warnings.ts'

/** The hosts that have the same files. */
export interface LintFleet {
  readonly hosts: number
  /** The salt of jobs without one on these hosts, before its specifiers are replaced. */
  readonly salt: string
}

/** A window that does not spread a fleet: all hosts choose the same second. */
export function herdWarnings(entries: readonly Entry[], text: string, fleet: LintFleet): Warning[] {
  if (fleet.hosts < 2) return []
  const lines = lineReader(text)
  const warnings: Warning[] = []
  for (const { schedule, name: job, line } of entries) {
    const { window, seed } = schedule
    const source = lines(line)
    // A salt of the job that is the same on every host says that the hosts shall start together.
    if (window.duration === 0 || seed.salt !== '' || differsByHost(fleet.salt)) continue
    const { at, length } = placeOf('win', source)
    warnings.push({
      rule: 'herd',
      job,
      line,
      column: at + 1,
      length,
      message: `all ${fleet.hosts} hosts choose the same second of this window: the job has no salt`,
      hint: 'write salt = %m in krond.conf, or @seed(stable,salt=%H) in the job',
      source,
    })
  }
  return warnings
}
