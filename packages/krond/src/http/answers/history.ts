import {
  newestFirst,
  OUTCOME_FILTERS,
  type OutcomeFilter,
  type OutcomeRecord,
  outcomeOfEntry,
  passes,
} from '../outcome-record.ts'
import type { Query } from '../query.ts'
import { Refusal } from '../refusal.ts'
import type { Work } from '../slices.ts'
import type { Subject } from '../subject.ts'

export const HISTORY_PARAMETERS = ['job', 'outcome', 'limit', 'before']

const TROUBLES: readonly OutcomeFilter[] = ['skipped', 'missed', 'unschedulable', 'failed']
const MOST_JOBS = 32

export interface OutcomePage {
  readonly outcomes: readonly OutcomeRecord[]
  /** The cursor of the page that follows; null at the end. */
  readonly next: string | null
}

/** What became of periods, newest first: of the named jobs from their state, else the newest of all jobs. */
export async function history(
  subject: Subject,
  query: Query,
  run: <T>(work: Work<T>) => Promise<T>,
): Promise<OutcomePage> {
  const filters = query.choices('outcome', OUTCOME_FILTERS)
  const limit = query.count('limit', 1, 2_000, 100)
  const before = cursorOf(query.text('before'))
  const identities = query.list('job', MOST_JOBS)
  const { ledger } = subject
  const all =
    identities.length > 0
      ? await ofJobs(subject, identities)
      : filters.length > 0 && filters.every(each => TROUBLES.includes(each))
        ? ledger.troubles.list()
        : ledger.recent.list()
  return run(page(all, filters, before, limit))
}

async function ofJobs({ store }: Subject, identities: readonly string[]): Promise<OutcomeRecord[]> {
  const records: OutcomeRecord[] = []
  for (const identity of identities) {
    const state = await store.peek(identity)
    for (const entry of state?.History ?? []) records.push(outcomeOfEntry(identity, entry))
  }
  return records.sort(newestFirst)
}

function* page(
  all: readonly OutcomeRecord[],
  filters: readonly OutcomeFilter[],
  before: Cursor | undefined,
  limit: number,
): Work<OutcomePage> {
  const outcomes: OutcomeRecord[] = []
  for (const [i, record] of all.entries()) {
    if (i % 64 === 0) yield
    if (before !== undefined && newestFirst(record, before as OutcomeRecord) <= 0) continue
    if (filters.length > 0 && !filters.some(filter => passes(record, filter))) continue
    if (outcomes.length === limit) return { outcomes, next: printCursor(outcomes.at(-1)!) }
    outcomes.push(record)
  }
  return { outcomes, next: null }
}

type Cursor = Pick<OutcomeRecord, 'completedAt' | 'identity' | 'periodId'>

const printCursor = ({ completedAt, identity, periodId }: Cursor): string =>
  Buffer.from(JSON.stringify([completedAt, identity, periodId])).toString('base64url')

function cursorOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  try {
    const [completedAt, identity, periodId] = JSON.parse(Buffer.from(text, 'base64url').toString())
    if ([completedAt, identity, periodId].every(each => typeof each === 'string'))
      return { completedAt, identity, periodId }
  } catch {
    // Falls through: whatever it was, it is not one of ours.
  }
  throw new Refusal(400, 'before is not a cursor', 'take it from `next` of the page before')
}
