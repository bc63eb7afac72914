import { type State, shownOutcomesOf } from '@kron/host'
import type { OutcomePage } from '@kron/host/api'
import type { Viewer } from '../../api/viewer.ts'
import {
  newestFirst,
  OUTCOME_FILTERS,
  type OutcomeFilter,
  type OutcomeRecord,
  passes,
} from '../outcome-record.ts'
import type { Query } from '../query.ts'
import { Refusal } from '../refusal.ts'
import type { Work } from '../slices.ts'
import { type Subject, shownTo } from '../subject.ts'

const MOST_JOBS = 32

/** Outcomes, newest first: those of the named jobs from their state, otherwise the newest of all jobs. */
export async function history(
  subject: Subject,
  query: Query,
  viewer: Viewer,
  run: <T>(work: Work<T>) => Promise<T>,
): Promise<OutcomePage> {
  const filters = query.choices('outcome', OUTCOME_FILTERS)
  const limit = query.count('limit', 1, 2_000, 100)
  const before = cursorOf(query.text('before'))
  const identities = query.list('job', MOST_JOBS)
  const { ledger } = subject
  const all =
    identities.length > 0
      ? merged(await ofJobs(subject, identities, run))
      : filters.length > 0 && !filters.some(each => each === 'executed' || each === 'succeeded')
        ? ledger.troubles.list()
        : ledger.recent.list()
  const { outcomes, next } = await run(page(all, filters, before, limit))
  return { outcomes: outcomes.map(each => shownTo(viewer, each)), next }
}

async function ofJobs(
  { store }: Subject,
  identities: readonly string[],
  run: <T>(work: Work<T>) => Promise<T>,
): Promise<OutcomeRecord[][]> {
  const lists: OutcomeRecord[][] = []
  for (const identity of new Set(identities)) {
    const state = await store.peek(identity)
    if (state !== undefined) lists.push(await run(recordsOf(state)))
  }
  return lists
}

/** The state keeps the latest end last, so the records are nearly in order already. */
function* recordsOf(state: State): Work<OutcomeRecord[]> {
  const records = [...shownOutcomesOf(state)].reverse()
  yield
  return records.sort(newestFirst)
}

/** Merges sorted lists lazily. */
function* merged(lists: readonly (readonly OutcomeRecord[])[]): Generator<OutcomeRecord> {
  const heads = lists.map(() => 0)
  for (;;) {
    let newest = -1
    for (const [i, list] of lists.entries()) {
      const head = list[heads[i]!]
      if (head !== undefined && (newest < 0 || newestFirst(head, lists[newest]![heads[newest]!]!) < 0))
        newest = i
    }
    if (newest < 0) return
    yield lists[newest]![heads[newest]!++]!
  }
}

function* page(
  all: Iterable<OutcomeRecord>,
  filters: readonly OutcomeFilter[],
  before: Cursor | undefined,
  limit: number,
): Work<OutcomePage> {
  const outcomes: OutcomeRecord[] = []
  let seen = 0
  for (const record of all) {
    if (++seen % 64 === 0) yield
    if (before !== undefined && newestFirst(record, before as OutcomeRecord) <= 0) continue
    if (filters.length > 0 && !filters.some(filter => passes(record, filter))) continue
    if (outcomes.length === limit) return { outcomes, next: printCursor(outcomes.at(-1)!) }
    outcomes.push(record)
  }
  return { outcomes, next: null }
}

type Cursor = Pick<OutcomeRecord, 'completedAt' | 'identity' | 'periodId' | 'runId'>

const printCursor = ({ completedAt, identity, periodId, runId }: Cursor): string =>
  Buffer.from(JSON.stringify([completedAt, identity, periodId ?? '', runId ?? ''])).toString('base64url')

function cursorOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  try {
    const [completedAt, identity, periodId, runId] = JSON.parse(Buffer.from(text, 'base64url').toString())
    if ([completedAt, identity, periodId, runId].every(each => typeof each === 'string'))
      return { completedAt, identity, periodId, runId }
  } catch {
    // Falls through to the refusal: the text is not a cursor of ours.
  }
  throw new Refusal(400, 'before is not a cursor', 'take it from `next` of the page before')
}
