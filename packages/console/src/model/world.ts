import { type ApiError, get } from '../api/client.ts'
import { follow } from '../api/feed.ts'
import type {
  FeedEvent,
  JobPage,
  JobRecord,
  LastOutcome,
  RunningPage,
  RunningRecord,
  StatusRecord,
} from '../api/records.ts'
import { secondsOf } from './instant.ts'
import { OutcomeBook } from './outcome-book.ts'
import { Watchers } from './watchers.ts'

export type Connection = 'connecting' | 'live' | 'lost' | 'locked'

const PAGE = 1_000
const RETRY = 2_000
/** More jobs than this are searched on the server only. */
const MOST_JOBS = 50_000

/** What the console knows of the daemon, kept up to date by the live feed. */
export class World extends Watchers {
  status: StatusRecord | undefined
  connection: Connection = 'connecting'
  /** When the connection was lost, in epoch seconds. */
  lostAt = 0
  problem: ApiError | undefined
  jobs: readonly JobRecord[] = []
  loading = true
  readonly running = new Map<string, RunningRecord>()
  readonly book = new OutcomeBook(() => this.changed())
  /** Grows when an answer that was fetched may be out of date, but once a second at most. */
  pulse = 0
  /** Grows when jobs may have come, gone or changed. */
  epoch = 0
  private readonly lasts = new Map<string, LastOutcome>()
  private skew = 0
  private beating = false
  private loads = 0

  /** Seconds of the daemon's clock. */
  now(): number {
    return Math.floor((Date.now() + this.skew) / 1_000)
  }

  lastOf(job: JobRecord): LastOutcome | null {
    return this.lasts.get(job.identity) ?? job.last
  }

  start(): void {
    void follow({
      onEvent: event => this.happened(event),
      onReset: () => this.reload(),
      onState: (state, status) => this.connected(state, status),
    })
  }

  private connected(state: 'live' | 'lost', status: number): void {
    const connection = status === 401 ? 'locked' : state
    if (connection === this.connection) return
    if (connection === 'lost' && this.connection === 'live') this.lostAt = this.now()
    this.connection = connection
    this.changed()
  }

  private async reload(): Promise<void> {
    const load = ++this.loads
    try {
      const status = await get<StatusRecord>('status')
      this.skew = ((secondsOf(status.now) ?? 0) + 0.5) * 1_000 - Date.now()
      const { running } = await get<RunningPage>('running')
      if (load !== this.loads) return
      this.status = status
      this.running.clear()
      for (const each of running) this.running.set(each.executionId, each)
      this.book.clear()
      this.lasts.clear()
      await this.loadJobs(load)
      this.problem = undefined
    } catch (error) {
      if (load !== this.loads) return
      this.problem = error as ApiError
      setTimeout(() => load === this.loads && void this.reload(), RETRY)
    }
    this.loading = false
    this.epoch++
    this.pulse++
    this.changed()
  }

  /** The first page is shown at once; the others follow. */
  private async loadJobs(load: number): Promise<void> {
    const jobs: JobRecord[] = []
    let after: string | null = '0'
    while (after !== null && jobs.length < MOST_JOBS) {
      const page: JobPage = await get<JobPage>('jobs', { limit: PAGE, after })
      if (load !== this.loads) return
      jobs.push(...page.jobs)
      after = page.next
      if (this.jobs.length < jobs.length || after === null) {
        this.jobs = jobs.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
        this.loading = false
        this.changed()
      }
    }
  }

  private beat(): void {
    if (this.beating) return
    this.beating = true
    setTimeout(() => {
      this.beating = false
      this.pulse++
      this.changed()
    }, 1_000)
  }

  private happened(event: FeedEvent): void {
    const text = (key: string): string => String(event[key] ?? '')
    this.beat()
    if (event.event === 'reload' && event['errors'] === undefined) void this.reload()
    if (event.event === 'started' || event.event === 'adopted')
      this.running.set(text('execution_id'), {
        identity: text('identity'),
        periodId: text('period_id'),
        chosenTime: text('chosen_time') || null,
        startedAt: event.time,
        pid: Number(event['pid']),
        executionId: text('execution_id'),
        adopted: event.event === 'adopted',
      })
    if (event.event === 'finished') this.running.delete(text('execution_id'))
    const outcome = this.book.learn(event)
    if (outcome !== undefined) this.lasts.set(outcome.identity, outcome.last)
    this.changed()
  }
}
