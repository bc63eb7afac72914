import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { CrontabEntry, type Entry } from '@kron/host'
import type { TriggerAnswer, TriggerRequest } from '../driver/action.ts'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'

export interface RebootParts {
  readonly stateDir: string
  readonly bootId: string
  readonly isRoot: boolean
  /** Files that other crons create when they have run their own @reboot lines since the machine booted. */
  readonly marksOfCron: readonly string[]
  readonly emit: Emit
  readonly trigger: (request: TriggerRequest) => Promise<TriggerAnswer>
}

export const MARKS_OF_CRON: readonly string[] = ['/run/crond.reboot', '/run/cron.reboot']

/**
 * Runs the @reboot lines, once per boot. The mark is durable before the first start: a daemon that dies between them
 * loses runs rather than repeat one, as cron does.
 */
export async function runAtReboot(entries: readonly Entry[], parts: RebootParts): Promise<void> {
  const { stateDir, bootId, emit, trigger } = parts
  const mark = `${stateDir}/reboot`
  if (existsSync(mark) && readFileSync(mark, 'latin1').trim() === bootId) return
  try {
    writeMark(mark, bootId)
  } catch (error) {
    emit(events.warned('reboot', `no line @reboot was run: ${(error as Error).message}`))
    return
  }
  if (parts.isRoot && parts.marksOfCron.some(path => existsSync(path))) return
  for (const entry of entries) {
    if (entry.schedule.cron.reboot !== true || !(entry instanceof CrontabEntry)) continue
    const { identity, crontab } = entry
    // The mark ensures that a line runs once per boot.
    const answer = await trigger({ requestId: randomUUID(), identity, user: crontab.user })
    if (answer.kind === 'refused') emit(events.warned('reboot', `${identity} was not run: ${answer.message}`))
  }
}

/** Writes in place: an incomplete mark does not match this boot, and the lines have not run yet. */
function writeMark(path: string, bootId: string): void {
  writeFileSync(path, `${bootId}\n`, { mode: 0o600, flush: true })
}
