import { hostname } from 'node:os'
import { type Decision, PausedJob, parseInstant, printInstant, triggerOf } from '@kron/core'
import { concerns, type Entry, type Pause, pauseAt } from '@kron/host'
import type { AgendaRecord, DayRecord, OverviewRecord, ProblemRecord } from '@kron/host/api'
import { pauseRecord } from '../../api/operations.ts'
import type { Viewer } from '../../api/viewer.ts'
import { isFailed, type OutcomeRecord } from '../outcome-record.ts'
import type { Work } from '../slices.ts'
import { findJob, pausesShownTo, type Subject, shownTo } from '../subject.ts'
import { periodRecord, soonest } from './plan.ts'
import { executionRecord } from './running.ts'

const SHOWN = 100
const HOUR = 3_600
const DAY = 86_400

/** Is anything wrong, what runs now, what runs next: the first page of the console. */
export function* overview(subject: Subject, viewer: Viewer): Work<OverviewRecord> {
  const now = subject.now()
  const problems = yield* problemsOf(subject, viewer)
  const executions = [...subject.driver.running()].sort((a, b) => a.startedAt - b.startedAt)
  return {
    host: hostname(),
    now: printInstant(now),
    startedAt: printInstant(Math.floor(subject.startedAt / 1_000)),
    refusedReload: subject.refusedReload(),
    refusedFiles: subject.refusedFiles(),
    startsStopped: subject.startsStopped() !== null,
    pauses: yield* pausesShownTo(subject, viewer),
    problems: problems.slice(0, SHOWN),
    problemCount: problems.length,
    running: executions.slice(0, SHOWN).map(each => executionRecord(each, viewer)),
    runningCount: executions.length,
    agenda: yield* agendaOf(subject, viewer, now),
    lastDay: yield* dayOf(subject.ledger.recent.list(), now),
  }
}

/** Jobs that were removed from the files are no longer problems. */
function* problemsOf(subject: Subject, viewer: Viewer): Work<ProblemRecord[]> {
  const problems: ProblemRecord[] = []
  for (const { kind, count, since, last } of subject.ledger.problems.list()) {
    const found = yield* subject.index.find(last.identity, subject.ledger.configuration)
    if (found === undefined) continue
    const { identity, name } = found.entry
    problems.push({ identity, name, kind, count, since, last: shownTo(viewer, last) })
    if (problems.length % 64 === 0) yield
  }
  return problems
}

function* agendaOf(subject: Subject, viewer: Viewer, now: number): Work<AgendaRecord[]> {
  const decisions = yield* soonest(subject, now, SHOWN)
  const agenda: AgendaRecord[] = []
  for (const decision of decisions) {
    if (triggerOf(decision) > now + HOUR) break
    const { name, schedule } = (yield* findJob(subject, decision.job.identity, viewer)).entry as Entry
    const pause = pauseThatCosts(subject.operations?.pauses() ?? [], decision)
    agenda.push({
      ...periodRecord(decision),
      name,
      timezone: schedule.zone.name,
      pausedBy: pause === undefined ? null : pauseRecord(pause, viewer),
    })
  }
  return agenda
}

/** The pause that keeps this period from running. */
function pauseThatCosts(pauses: readonly Pause[], { job, chosen }: Decision): Pause | undefined {
  const own = pauses.filter(each => concerns(each, job.identity))
  if (own.length === 0 || chosen === null || new PausedJob(job, own).startOf(chosen) !== undefined)
    return undefined
  return pauseAt(own, job.identity, chosen)
}

function* dayOf(outcomes: readonly OutcomeRecord[], now: number): Work<DayRecord> {
  const since = printInstant(now - DAY)
  const latenesses: number[] = []
  const day = { executions: 0, succeeded: 0, failed: 0, missed: 0 }
  for (const [i, record] of outcomes.entries()) {
    // The records come newest first.
    if (record.completedAt < since) break
    if (record.kind === 'missed') day.missed++
    if (record.outcome === 'executed') day.executions++
    if (record.kind === 'succeeded') day.succeeded++
    if (isFailed(record)) day.failed++
    const lateness = latenessOf(record)
    if (lateness !== undefined) latenesses.push(lateness)
    if (i % 64 === 0) yield
  }
  latenesses.sort((a, b) => a - b)
  const judged = day.succeeded + day.failed
  return {
    ...day,
    successRate: judged === 0 ? null : day.succeeded / judged,
    medianLatenessSeconds: latenesses[Math.floor(latenesses.length / 2)] ?? null,
    largestLatenessSeconds: latenesses.at(-1) ?? null,
  }
}

function latenessOf({ chosenTime, startedAt }: OutcomeRecord): number | undefined {
  const chosen = parseInstant(chosenTime ?? '')
  const started = parseInstant(startedAt ?? '')
  return chosen.ok && started.ok ? Math.max(0, started.value - chosen.value) : undefined
}
