import { minutesPerDay, printDuration, printInstant, printSchedule } from '@kron/core'
import { argvOf, concerns, type Entry, outcomesOf, pauseAt } from '@kron/host'
import type { JobDetail, JobRecord } from '@kron/host/api'
import { pauseRecord } from '../../api/operations.ts'
import { mayAct, mayRead, type Viewer } from '../../api/viewer.ts'
import { isFailed } from '../outcome-record.ts'
import type { Query } from '../query.ts'
import { type Subject, shownTo } from '../subject.ts'

/** A page of the jobs, in the order of the job table; `next` is the cursor of the page that follows. */
export function* jobs(subject: Subject, query: Query, viewer: Viewer) {
  const after = query.count('after', 0, Number.MAX_SAFE_INTEGER, 0)
  const limit = query.count('limit', 1, 1_000, 100)
  const words = (query.text('q') ?? '').toLowerCase().split(/\s+/)
  const { jobs: table } = subject
  const page: JobRecord[] = []
  let slot = after
  for (; slot < table.end && page.length < limit; slot++) {
    const entry = table.entry(slot)
    if (entry !== undefined && matches(entry, words)) page.push(jobRecord(subject, slot, entry, viewer))
    if (slot % 16 === 0) yield
  }
  return { total: table.size, next: slot < table.end ? String(slot) : null, jobs: page }
}

/** Every word must occur in identity or description. */
function matches({ identity, description }: Entry, words: readonly string[]): boolean {
  const text = `${identity} ${description}`.toLowerCase()
  return words.every(word => text.includes(word))
}

function jobRecord(
  { driver, ledger, operations, now }: Subject,
  slot: number,
  entry: Entry,
  viewer: Viewer,
): JobRecord {
  const next = driver.nextTrigger(slot)
  const pauses = operations?.pauses() ?? []
  const current = pauses.length === 0 ? undefined : pauseAt(pauses, entry.identity, now())
  const own = pauses.filter(each => concerns(each, entry.identity)).sort((a, b) => a.from - b.from)
  const pause = current ?? own.at(0)
  return {
    identity: entry.identity,
    name: entry.name,
    schedule: printSchedule(entry.schedule),
    timezone: entry.schedule.zone.name,
    description: entry.description,
    suspended: entry.schedule.policy.suspend || current !== undefined,
    pause: pause === undefined ? null : pauseRecord(pause, viewer),
    pauses: own.map(each => pauseRecord(each, viewer)),
    nextTime: next === undefined ? null : printInstant(next),
    running: driver.runningOf(slot).length,
    last: ledger.last.get(entry.identity),
    recent: ledger.runs.get(entry.identity),
  }
}

/**
 * One job with its definition. Arguments and environment values may hold secrets, so they are never shown; program,
 * directory and the names of variables are shown only to viewers who may read its output.
 */
export async function job(subject: Subject, slot: number, entry: Entry, viewer: Viewer): Promise<JobDetail> {
  const { settings, schedule } = entry
  const owner = subject.owner(entry)
  const confidential = mayRead(viewer, owner)
  const state = await subject.store.peek(entry.identity)
  const failure = state === undefined ? undefined : outcomesOf(state).findLast(isFailed)
  return {
    ...jobRecord(subject, slot, entry, viewer),
    file: entry.path,
    line: entry.line,
    periodsPerDay: minutesPerDay(schedule.cron),
    window: { mode: schedule.window.mode, duration: printDuration(schedule.window.duration) },
    policy: {
      concurrency: schedule.policy.concurrency,
      deadline: printDuration(schedule.policy.deadline),
      suspend: schedule.policy.suspend,
    },
    execution: {
      program: confidential ? (argvOf(entry)[0] ?? '') : null,
      shell: entry.shell,
      user: settings.user,
      group: settings.group,
      cwd: confidential ? settings.cwd : null,
      timeout: settings.timeout === null ? null : printDuration(settings.timeout),
      grace: printDuration(settings.grace),
      environment: confidential ? Object.keys(settings.env) : null,
      stdout: settings.stdout.kind,
      stderr: settings.stderr.kind,
    },
    lastFailure: failure === undefined ? null : shownTo(viewer, failure),
    mayAct: mayAct(viewer, owner),
  }
}
