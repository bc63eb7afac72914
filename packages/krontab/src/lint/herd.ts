import { differsByHost } from '@kron/core'
import type { Entry } from '@kron/host'
import { type Warning, warningAt } from './finding.ts'
import { lineReader } from './line-reader.ts'

/** The hosts that have the same files. */
export interface LintFleet {
  readonly hosts: number
  /** The salt of jobs without one on these hosts, before its specifiers are replaced. */
  readonly salt: string
}

/** A window that does not spread a fleet: all hosts choose the same second. */
export function herdWarnings(entries: readonly Entry[], text: string, fleet: LintFleet): Warning[] {
  if (fleet.hosts < 2 || differsByHost(fleet.salt)) return []
  const lines = lineReader(text)
  const finding = {
    part: 'win',
    message: `all ${fleet.hosts} hosts choose the same second of this window: the job has no salt`,
    hint: 'write salt = %m in krond.conf, or @seed(stable,salt=%H) in the job',
  } as const
  // A salt of the job that is the same on every host says that the hosts shall start together.
  return entries
    .filter(({ schedule: { window, seed } }) => window.duration > 0 && seed.salt === '')
    .map(entry => warningAt(entry, 'herd', finding, lines(entry.line)))
}
