import type { KronError, OutcomeKind } from '@kron/core'
import { pauseAt } from '@kron/host'
import {
  Counter,
  counterFamily,
  gaugeFamily,
  Histogram,
  histogramFamily,
  type MetricFamily,
  printFamily,
} from '@kron/runtime'
import type { Event } from '../log/event.ts'
import type { NotificationFigures } from '../notify/notifications.ts'
import { JobLabels } from './job-labels.ts'
import { isFailed, outcomeOfEvent } from './outcome-record.ts'
import type { Work } from './slices.ts'
import type { Subject } from './subject.ts'

const LATENESS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]
const WRITES = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1]
const DURATIONS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400]

const LINES_AT_ONCE = 64
/** Series that exist from the start, so that their first count is a rise. The other kinds are rare. */
const COMMON_ENDS: readonly OutcomeKind[] = ['succeeded', 'failed']
const NOT_EXECUTED: readonly OutcomeKind[] = ['skipped', 'missed', 'unschedulable']
const ERRORS: readonly KronError['category'][] = [
  'ConfigurationError',
  'ValidationError',
  'SchedulingError',
  'ConstraintError',
  'ExecutionError',
  'PersistenceError',
  'SystemError',
  'IncompatibleStateError',
]

/** Counters are updated by events; all other metrics are read from the daemon at each scrape. */
export class Metrics {
  readonly #labels = new JobLabels()
  readonly #introduced = new Set<string>()
  readonly #executions = new Counter()
  readonly #outcomes = new Counter()
  readonly #failures = new Counter()
  readonly #lateness = new Histogram(LATENESS)
  readonly #durations = new Histogram(DURATIONS)
  readonly #stateWrites = new Histogram(WRITES)
  readonly #reloads = new Counter()
  readonly #errors = new Counter()
  readonly #jumps = new Counter()
  readonly #listenFailures = new Counter()
  #configErrors = 0
  #configErrorsSeen = 0

  constructor() {
    for (const result of ['applied', 'refused']) this.#reloads.add({ result }, 0)
    for (const direction of ['forward', 'backward']) this.#jumps.add({ direction }, 0)
    this.#listenFailures.add({}, 0)
    for (const errorType of ERRORS) this.#errors.add({ error_type: errorType }, 0)
  }

  stateWritten(seconds: number): void {
    this.#stateWrites.observe(seconds)
  }

  observe(event: Event): void {
    const outcome = outcomeOfEvent(event, '')
    if (outcome !== undefined) {
      const kron_job = this.#labelOf(outcome.identity)
      const counter = outcome.outcome === 'executed' ? this.#executions : this.#outcomes
      counter.add({ kron_job, outcome: outcome.kind })
      if (isFailed(outcome)) this.#failures.add({ kron_job })
    }
    switch (event.event) {
      case 'started':
        return this.#lateness.observe(Math.max(0, event.latenessMs) / 1_000)
      case 'finished':
        return this.#durations.observe(event.durationMs / 1_000)
      case 'started_daemon':
        return this.#configured()
      case 'reload':
        this.#reloads.add({ result: 'errors' in event ? 'refused' : 'applied' })
        return this.#configured()
      case 'clock_jump':
        return this.#jumps.add({ direction: event.direction })
      case 'warning':
        if (event.operation === 'listen') this.#listenFailures.add({})
        return
      case 'error':
        if (event.component === 'configuration') this.#configErrorsSeen++
        return this.#errors.add({ error_type: event.errorType })
      default:
    }
  }

  /** The text of all metrics. `feedClients` is the number of clients of the feed. */
  *print(subject: Subject, feedClients: number): Work<string> {
    const planned = yield* this.#planned(subject)
    let text = ''
    let lines: string[] = []
    for (const family of [...this.#counted(), ...this.#read(subject, planned, feedClients)]) {
      for (const line of printFamily(family)) {
        // Thousands of short strings would be joined in one long step at the end.
        if (lines.push(line) < LINES_AT_ONCE) continue
        text += lines.join('')
        lines = []
        yield
      }
    }
    return text + lines.join('')
  }

  /** A job's series begin at zero: Prometheus would not see a rise from nothing to one. */
  #labelOf(identity: string): string {
    const job = this.#labels.of(identity)
    if (this.#introduced.has(job)) return job
    this.#introduced.add(job)
    for (const outcome of COMMON_ENDS) this.#executions.add({ kron_job: job, outcome }, 0)
    for (const outcome of NOT_EXECUTED) this.#outcomes.add({ kron_job: job, outcome }, 0)
    this.#failures.add({ kron_job: job }, 0)
    return job
  }

  /** A load or reload is over: the errors since the last one belong to the current files. */
  #configured(): void {
    this.#configErrors = this.#configErrorsSeen
    this.#configErrorsSeen = 0
  }

  *#planned({ jobs, driver, operations, now }: Subject): Work<Planned> {
    const next = new Map<string, number>()
    let suspended = 0
    let paused = 0
    const second = now()
    const pauses = operations?.pauses() ?? []
    for (const slot of jobs.slots()) {
      const entry = jobs.entry(slot)!
      const job = this.#labelOf(entry.identity)
      const at = driver.nextTrigger(slot)
      if (at !== undefined) next.set(job, Math.min(at, next.get(job) ?? Number.POSITIVE_INFINITY))
      if (entry.schedule.policy.suspend) suspended++
      if (pauses.length > 0 && pauseAt(pauses, entry.identity, second) !== undefined) paused++
      if (slot % 128 === 0) yield
    }
    return { next, suspended, paused }
  }

  *#counted(): Generator<MetricFamily> {
    yield counterFamily(
      'kron_executions_total',
      'Executions that ended, by how they ended.',
      this.#executions,
    )
    yield counterFamily('kron_outcomes_total', 'Periods that ended without an execution.', this.#outcomes)
    yield counterFamily('kron_failures_total', 'Executions that failed or timed out.', this.#failures)
    yield histogramFamily(
      'kron_start_lateness_seconds',
      'How long after the chosen time starts happened.',
      this.#lateness,
    )
    yield histogramFamily('kron_execution_duration_seconds', 'How long executions ran.', this.#durations)
    yield histogramFamily(
      'kron_state_write_seconds',
      'How long a change of state took to be durable.',
      this.#stateWrites,
    )
    yield counterFamily('kron_reloads_total', 'Reloads of the job files.', this.#reloads)
    yield counterFamily('kron_errors_total', 'Errors logged.', this.#errors)
    yield counterFamily(
      'kron_listen_failures_total',
      'Why krond could not listen, counted once for each reason.',
      this.#listenFailures,
    )
    yield counterFamily('kron_clock_jumps_total', 'Jumps of the wall clock.', this.#jumps)
  }

  *#read(subject: Subject, planned: Planned, feedClients: number): Generator<MetricFamily> {
    const { jobs, driver, refusedFiles, version, startedAt } = subject
    const next = [...planned.next].map(([kron_job, value]) => ({ labels: { kron_job }, value }))
    yield gaugeFamily('kron_running', 'Executions that run now.', driver.runningCount)
    yield gaugeFamily('kron_queue_depth', 'Starts that wait for a place.', driver.waiting.length)
    yield gaugeFamily('kron_jobs', 'Jobs that are defined.', jobs.size)
    yield gaugeFamily('kron_suspended_jobs', 'Jobs that their files suspend.', planned.suspended)
    yield gaugeFamily('kron_paused_jobs', 'Jobs that a pause holds now.', planned.paused)
    yield gaugeFamily('kron_next_start_timestamp_seconds', 'When the next period asks for attention.', next)
    yield gaugeFamily('kron_config_errors', 'Mistakes in the job files at the last load.', this.#configErrors)
    yield gaugeFamily(
      'kron_reload_refused',
      'Whether the last reload was refused, so that older job files are in force.',
      subject.refusedReload() === null ? 0 : 1,
    )
    yield gaugeFamily('kron_refused_files', 'Job files refused because of a mistake.', refusedFiles().length)
    yield gaugeFamily(
      'kron_starts_stopped',
      'Whether no job starts because the disk is nearly full or read-only.',
      subject.startsStopped() === null ? 0 : 1,
    )
    yield counterFamily(
      'kron_reopened_jobs_total',
      'Jobs whose passed-over periods were opened again, because the clock had been ahead.',
      driver.reopenedJobs,
    )
    yield* notificationFamilies(subject.notifications())
    yield gaugeFamily('kron_feed_clients', 'Who watches the live feed.', feedClients)
    yield gaugeFamily('kron_build_info', 'The version, as a label.', [{ labels: { version }, value: 1 }])
    yield gaugeFamily('process_start_time_seconds', 'When the daemon started.', startedAt / 1_000)
    yield gaugeFamily('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss())
    const { user, system } = process.cpuUsage()
    yield counterFamily('process_cpu_seconds_total', 'Processor time used.', (user + system) / 1e6)
  }
}

interface Planned {
  readonly next: ReadonlyMap<string, number>
  readonly suspended: number
  readonly paused: number
}

const notificationFamilies = (figures: NotificationFigures): readonly MetricFamily[] => [
  counterFamily(
    'kron_notifications_total',
    'Messages that a target accepted (delivered), and those that were given up (lost).',
    [
      { labels: { result: 'delivered' }, value: figures.delivered },
      { labels: { result: 'lost' }, value: figures.lost },
    ],
  ),
  counterFamily(
    'kron_notification_failures_total',
    'Tries to notify that a target refused or did not answer.',
    figures.failedTries,
  ),
  gaugeFamily(
    'kron_notifications_waiting',
    'Notices that some target has not received yet.',
    figures.waiting,
  ),
  gaugeFamily(
    'kron_notification_oldest_seconds',
    'The age of the oldest waiting notice; 0 if there is none.',
    figures.oldestSeconds,
  ),
]
