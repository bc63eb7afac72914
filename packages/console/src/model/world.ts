import { OUTCOME_STYLES } from '@kron/core'
import { type ApiError, get } from '../api/client.ts'
import { type FeedListener, follow } from '../api/feed.ts'
import type {
  FeedEvent,
  JobPage,
  JobRecord,
  LastOutcome,
  OutcomeRecord,
  PauseRecord,
  RunningPage,
  RunningRecord,
  ScheduleFilesRecord,
  StatusRecord,
  ViewerRecord,
} from '../api/records.ts'
import { secondsOf } from './instant.ts'
import { JobOutcomes } from './job-outcomes.ts'
import { needFiles, takeFiles } from './schedule-files.ts'

export type Connection = 'connecting' | 'live' | 'lost' | 'locked'

const PAGE = 1_000
const RETRY = 2_000
const REFRESH_MS = 10_000
/** Jobs beyond this number are found only by a search. */
const MOST_JOBS = 50_000

/** The console's knowledge of the daemon, kept up to date by the live feed. */
export class World {
  status: StatusRecord | undefined
  /** The viewer that krond takes this page for; undefined until krond has answered. */
  viewer: ViewerRecord | undefined
  connection: Connection = 'connecting'
  /** When the connection was lost, in epoch seconds. */
  lostAt = 0
  problem: ApiError | undefined
  jobs: readonly JobRecord[] = []
  loading = true
  readonly running = new Map<string, RunningRecord>()
  readonly outcomes = new JobOutcomes(() => this.changed())
  /** Grows when a fetched answer may be out of date, at most once a second. */
  answersVersion = 0
  /** Grows when jobs may have come, gone or changed. */
  jobsVersion = 0
  readonly #watchers = new Set<() => void>()
  #isChangeTold = true
  readonly #lastOutcomes = new Map<string, LastOutcome>()
  readonly #stopped = new AbortController()
  #skew = 0
  #isRefreshPlanned = false
  /** The number of the latest `reload`. An older one that is still waiting for answers gives up. */
  #lastLoad = 0
  #pauses = ''
  /** Events that the feed sent while the running executions were requested: the answer may be older. */
  #eventsWhileLoading: FeedEvent[] | undefined

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Tells the watchers; many changes in one frame are told once. */
  changed(): void {
    if (!this.#isChangeTold) return
    this.#isChangeTold = false
    // A timer, not a frame: a page in the background must not fall behind.
    setTimeout(() => {
      this.#isChangeTold = true
      for (const watcher of this.#watchers) watcher()
    }, 16)
  }

  /** Seconds of the daemon's clock. */
  now(): number {
    return Math.floor((Date.now() + this.#skew) / 1_000)
  }

  lastOf(job: JobRecord): LastOutcome | null {
    return this.#lastOutcomes.get(job.identity) ?? job.last
  }

  isRunning(identity: string): boolean {
    for (const each of this.running.values()) if (each.identity === identity) return true
    return false
  }

  /** Whether there are more jobs than this console keeps. */
  get isPartial(): boolean {
    return !this.loading && (this.status?.jobs ?? 0) > this.jobs.length && this.jobs.length >= MOST_JOBS
  }

  start(): void {
    const listener: FeedListener = {
      onEvent: event => this.#happened(event),
      onReset: () => this.reload(),
      onState: (state, status) => this.#connected(state, status),
    }
    void follow(listener, this.#stopped.signal)
    // Pauses come, begin and end without an event.
    const slow = setInterval(() => this.#planRefresh(), REFRESH_MS)
    this.#stopped.signal.addEventListener('abort', () => clearInterval(slow))
  }

  /** Takes the pauses in force and planned: if they have changed, the jobs are fetched again. */
  noticePauses(pauses: readonly PauseRecord[]): void {
    const ids = pauses
      .map(each => each.id)
      .sort()
      .join()
    if (ids === this.#pauses) return
    this.#pauses = ids
    void this.reload()
  }

  stop(): void {
    this.#stopped.abort()
  }

  #connected(state: 'live' | 'lost', status: number): void {
    const connection = status === 401 ? 'locked' : state
    if (connection === this.connection) return
    if (connection === 'lost' && this.connection === 'live') this.lostAt = this.now()
    this.connection = connection
    this.changed()
  }

  /** Fetches everything again: something has changed that causes no event. */
  async reload(): Promise<void> {
    const load = ++this.#lastLoad
    try {
      const status = await get<StatusRecord>('status')
      this.#skew = ((secondsOf(status.now) ?? 0) + 0.5) * 1_000 - Date.now()
      const events: FeedEvent[] = []
      this.#eventsWhileLoading = events
      const viewer = await get<ViewerRecord>('viewer')
      const { running } = await get<RunningPage>('running')
      if (load !== this.#lastLoad) return
      this.status = status
      this.viewer = viewer
      this.running.clear()
      for (const each of running) this.running.set(each.executionId, each)
      for (const event of events) this.#track(event)
      this.#eventsWhileLoading = undefined
      this.outcomes.clear()
      this.#lastOutcomes.clear()
      await this.#loadJobs(load)
      if (needFiles(this.jobs)) takeFiles(await get<ScheduleFilesRecord>('schedule-files'))
      this.problem = undefined
    } catch (error) {
      if (load !== this.#lastLoad) return
      this.#eventsWhileLoading = undefined
      this.problem = error as ApiError
      setTimeout(() => load === this.#lastLoad && void this.reload(), RETRY)
    }
    this.loading = false
    this.jobsVersion++
    this.answersVersion++
    this.changed()
  }

  /** The first page is shown at once; the others follow, in few steps: each step sorts. */
  async #loadJobs(load: number): Promise<void> {
    const jobs: JobRecord[] = []
    for (let after: string | null = '0'; after !== null; ) {
      const page: JobPage = await get<JobPage>('jobs', { limit: PAGE, after })
      if (load !== this.#lastLoad) return
      jobs.push(...page.jobs)
      after = jobs.length < MOST_JOBS ? page.next : null
      if (after !== null && jobs.length < 2 * this.jobs.length) continue
      this.jobs = jobs.toSorted(byName)
      this.loading = false
      this.changed()
    }
  }

  /** Marks fetched answers as out of date in a second, unless that is planned already. */
  #planRefresh(): void {
    if (this.#isRefreshPlanned) return
    this.#isRefreshPlanned = true
    setTimeout(() => {
      this.#isRefreshPlanned = false
      this.answersVersion++
      this.changed()
    }, 1_000)
  }

  #happened(event: FeedEvent): void {
    this.#planRefresh()
    if (event.event === 'reload') void this.reload()
    this.#eventsWhileLoading?.push(event)
    this.#track(event)
    if (event.outcome_record !== undefined) this.#ended(event.outcome_record)
    this.changed()
  }

  #ended(record: OutcomeRecord): void {
    this.outcomes.add(record)
    const { identity, kind, outcome, completedAt } = record
    const failed = OUTCOME_STYLES[kind].isFailure
    this.#lastOutcomes.set(identity, { kind, outcome, failed, at: completedAt })
  }

  #track({ event, execution_id: id = '', running_record: run }: FeedEvent): void {
    if (run !== undefined) this.running.set(run.executionId, run)
    if (event === 'finished') this.running.delete(id)
  }
}

const byName = (a: JobRecord, b: JobRecord): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
