import { setImmediate as macrotask } from 'node:timers/promises'
import { decide, type Job, next, parseInstant, printInstant } from '@kron/core'
import { VirtualClock } from '@kron/runtime'
import type { Method } from '../../../../operator/src/cluster/api.ts'
import type { KronJob, KronJobSpec } from '../../../../operator/src/manifest/kronjob.ts'
import { jobOf, parseSpec } from '../../../../operator/src/manifest/parse.ts'
import { jobNameOf } from '../../../../operator/src/plan/names.ts'
import { Chance } from '../../chance.ts'
import { inWords, Once } from '../../once/once.ts'
import { type Asked, type Fate, MemoryCluster, type StoredJob } from './memory-cluster.ts'
import { Replica } from './replica.ts'

/** The faults of a history. Each may be left out, to look at the others alone. */
export interface Faults {
  /** Job creations that the server certainly refuses. */
  readonly refusals?: number
  /** Requests whose answer is lost. Half of them happen. */
  readonly losses?: number
  /** Leaders that are killed. */
  readonly kills?: number
  /** Status writes that are the last action of their leader. Often that is an announcement without its Job. */
  readonly lastWrites?: number
  /** KronJobs that are edited while nobody leads. The next leader has to write their statuses, too. */
  readonly edits?: number
  /** Leases that are lost for a while, sometimes to another replica. */
  readonly lapses?: number
  /** Times without an API server. */
  readonly outages?: number
  /** Jobs that somebody deletes as soon as they exist. */
  readonly deletions?: number
  /** KronJobs beyond the usual four. */
  readonly crowd?: number
  /** First statuses after a creation or an edit whose write takes seconds, so that others wait for it or fall due. */
  readonly slowFirsts?: number
  /** Jobs that are created although the server says that it refuses them. No operator can cope with that. */
  readonly lies?: number
}

export interface Verdict {
  /** The violations found. */
  readonly wrong: readonly string[]
  readonly periods: number
  readonly jobs: number
  readonly unknown: number
}

const START = Date.parse('2026-03-01T00:00:30Z')
const MINUTES = 10
/** Longer than the longest deadline and the longest pause, so that every period ends. */
const CALM_MINUTES = 8
const KRON_JOBS = 4
/** Milliseconds within which a leader looks for a Job, tries the template and writes the status, if nothing fails. */
const LONGEST_STEPS = 15_000
const REFUSALS = [
  { status: 429, message: 'too many requests' },
  { status: 403, message: 'exceeded quota: jobs' },
  { status: 422, message: "ValidatingAdmissionPolicy 'x' denied request: no" },
  { status: 503, message: 'the server is down' },
]

/** Lets promises and immediates run until only timers are left. */
async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) await macrotask()
}

/** Lives through one random history of leaders on a cluster in memory, and judges it. */
export async function live(seed: number, faults: Faults): Promise<Verdict> {
  return new History(seed, faults).live()
}

class History {
  readonly #chance: Chance
  readonly #faults: Faults
  readonly #clock = new VirtualClock({ now: START })
  readonly #cluster = new MemoryCluster(this.#clock)
  readonly #once = new Once()
  readonly #specs = new Map<string, KronJobSpec>()
  /** The outcome and reason that logs and statuses give for a period, by `name period`. */
  readonly #told = new Map<string, string>()
  /** The names of Jobs that may exist: their leader could not know. */
  readonly #uncertain = new Set<string>()
  /** The requests of former leaders, without looks for Jobs to which they could not react any more. */
  readonly #past: Asked[] = []
  /** Periods that were said to be executed, with an unknown result, although nobody was in doubt. */
  readonly #unfounded: string[] = []
  readonly #ran = new Set<string>()
  /** Jobs that were created although no status had announced them. */
  readonly #unannounced: string[] = []
  #unknown = 0
  #isCalm = false
  #isDown = false
  #isLeaderless = false
  #leader: Replica

  constructor(seed: number, faults: Faults) {
    this.#chance = new Chance(`operator ${seed}`)
    this.#faults = faults
    this.#cluster.onJob = job => this.#onJob(job)
    const count = KRON_JOBS + (faults.crowd ?? 0)
    for (let i = 0; i < count; i++) this.#add(`job-${i}`)
    this.#leader = this.#replica()
  }

  async live(): Promise<Verdict> {
    await this.#leader.lead()
    while (this.#clock.now() < START + MINUTES * 60_000) {
      await this.#pass(this.#chance.between(500, 20_000))
      await this.#trouble()
    }
    const end = Math.floor(this.#clock.now() / 1000)
    this.#isCalm = true
    await this.#pass(CALM_MINUTES * 60_000)
    return this.#judge(end)
  }

  #add(name: string): void {
    const ttl = this.#chance.pick([undefined, 0, 1, 5, 30])
    const spec: KronJobSpec = {
      schedule: '* * * * *',
      window: { mode: 'after', duration: '50s' },
      policy: {
        concurrency: this.#chance.pick(['allow', 'allow', 'forbid', 'replace']),
        deadline: this.#chance.pick(['2s', '20s', '3m']),
      },
      history: { successful: this.#chance.pick([0, 3, 1000]) },
      jobTemplate: { spec: { template: {}, ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) } },
    }
    this.#specs.set(name, spec)
    this.#cluster.add(name, spec)
  }

  #replica(): Replica {
    return new Replica({
      cluster: this.#cluster,
      clock: this.#clock,
      random: this.#chance.next,
      fateOf: (method, path) => this.#fate(method, path),
      lag: () => (this.#happens(0.2) ? this.#chance.between(100, 3_000) : 2),
      log: (event, fields) => this.#onLog(event, fields),
    })
  }

  #pass(milliseconds: number): Promise<void> {
    return this.#clock.run(milliseconds, settle)
  }

  #happens(probability: number | undefined): boolean {
    return !this.#isCalm && this.#chance.happens(probability ?? 0)
  }

  async #trouble(): Promise<void> {
    const { kills, lapses, outages } = this.#faults
    if (this.#happens(kills)) {
      this.#kill()
      await this.#pass(5_000)
    }
    if (this.#happens(lapses) && !this.#isLeaderless) await this.#lapse()
    if (this.#happens(outages)) {
      this.#isDown = true
      await this.#pass(this.#chance.between(500, 8_000))
      this.#isDown = false
    }
  }

  #kill(): void {
    if (this.#isLeaderless) return
    this.#isLeaderless = true
    this.#leave()
    this.#leader.die()
    for (const [name, spec] of this.#specs)
      if (this.#happens(this.#faults.edits)) this.#cluster.edit(name, spec)
    this.#clock.setTimer(this.#chance.between(500, 5_000), () => {
      this.#isLeaderless = false
      this.#leader = this.#replica()
      void this.#leader.lead()
    })
  }

  /** The lease is lost while the leader works, and comes back to it, or goes to another replica. */
  async #lapse(): Promise<void> {
    const leader = this.#leader
    const isContinued = this.#chance.happens(0.5)
    if (!isContinued) this.#leave()
    leader.lapse()
    await this.#pass(this.#chance.between(500, 8_000))
    // It may have been killed meanwhile.
    if (this.#isLeaderless || this.#leader !== leader) return
    if (!isContinued) this.#leader = this.#replica()
    void this.#leader.lead(isContinued)
  }

  /** A leader leaves. No later one can know about the requests without an answer and about the last step. */
  #leave(): void {
    const last = new Map<string, Asked>()
    for (const each of this.#leader.asked) {
      last.set(subjectOf(each), each)
      if (!each.isAnswered) this.#doubt(announcedBy(each))
      if (each.method !== 'GET' || this.#hadTimeAfter(each)) this.#past.push(each)
    }
    for (const [name, each] of last) {
      if (each.method !== 'PATCH') continue
      // The start was announced and not tried, or its refusal was not recorded.
      if (!each.isAnswered) this.#doubt(this.#cluster.kronJobs.get(name)?.status?.intent?.jobName)
      if ((atOf(each) ?? 0) <= this.#clock.now()) this.#doubt(announcedBy(each))
    }
  }

  /** Whether a leader that leaves now could write what it saw then. */
  #hadTimeAfter({ at }: Asked): boolean {
    const { losses, outages, lapses } = this.#faults
    return !losses && !outages && !lapses && this.#clock.now() - at > LONGEST_STEPS
  }

  #doubt(jobName: string | undefined): void {
    if (jobName !== undefined) this.#uncertain.add(jobName)
  }

  #fate(method: Method, path: string): Fate {
    const delay = [this.#chance.between(1, 5), this.#chance.between(1, 5)] as const
    if (this.#isDown) return { delay, unsent: true, happens: false, answered: false }
    if (method === 'POST' && path.endsWith('/jobs') && this.#happens(this.#faults.refusals))
      return { delay, refusal: this.#chance.pick(REFUSALS), happens: true, answered: true }
    if (method === 'POST' && path.endsWith('/jobs') && this.#happens(this.#faults.lies))
      return { delay, happens: true, isLie: true, answered: true }
    if (this.#happens(this.#faults.losses))
      return { delay, happens: this.#chance.happens(0.5), answered: false }
    const { slowFirsts, lastWrites } = this.#faults
    if (method === 'PATCH' && this.#happens(lastWrites)) {
      this.#clock.setTimer(delay[0], () => this.#kill())
      return { delay, happens: true, answered: true }
    }
    if (slowFirsts && method === 'PATCH' && this.#isFirst(path) && this.#happens(slowFirsts))
      return { delay: [this.#chance.between(2_000, 9_000), delay[1]], happens: true, answered: true }
    const slow = this.#happens(0.05) ? this.#chance.between(100, 2_000) : 0
    return { delay: [delay[0] + slow, delay[1]], happens: true, answered: true }
  }

  #isFirst(path: string): boolean {
    const { metadata, status } = this.#cluster.kronJobs.get(path.split('/').at(-2)!)!
    return status?.observedGeneration !== metadata.generation
  }

  #onJob({ metadata: { name, labels, uid }, spec }: StoredJob): void {
    const key = `${labels['kron.io/name']} ${labels['kron.io/period-id']}`
    if (!this.#cluster.announced.has(name)) this.#unannounced.push(key)
    this.#ran.add(key)
    this.#once.ran(key, uid)
    const took = this.#happens(0.1) ? 70_000 : this.#chance.between(0, 3_000)
    this.#clock.setTimer(took, () => this.#cluster.finish(name))
    const { ttlSecondsAfterFinished: ttl } = spec
    if (this.#happens(this.#faults.deletions))
      this.#clock.setTimer(this.#chance.between(5, 1_500), () => this.#cluster.removeJob(name))
    if (ttl !== undefined) this.#clock.setTimer(took + ttl * 1000 + 5, () => this.#cluster.removeJob(name))
  }

  #onLog(event: string, fields: Readonly<Record<string, unknown>>): void {
    const { identity, periodId, reason = '' } = fields as Record<string, string>
    const outcome = event === 'unconfirmed' ? fields['outcome'] : event
    if (periodId === undefined || typeof outcome !== 'string') return
    const name = identity!.split('/')[1]!
    const key = `${name} ${labelOf(periodId)}`
    this.#told.set(key, `${outcome} ${reason}`.trim())
    if (event !== 'unconfirmed') this.#once.outcome(key, outcome, 'the log')
    if (reason !== 'unknown result') return
    this.#unknown++
    const jobName = jobNameOf(name, periodId)
    const inDoubt = this.#uncertain.has(jobName) || this.#wasUnanswered(jobName)
    if (!inDoubt || this.#sawNone(name, jobName)) this.#unfounded.push(key)
  }

  /** Whether a leader has looked for the Job before a TTL could remove it, and none has asked the server to create it. */
  #sawNone(name: string, jobName: string): boolean {
    const asked = [...this.#past, ...this.#leader.asked]
    if (asked.some(each => isCreation(each) && announcedBy(each) === jobName)) return false
    const ttl = this.#specs.get(name)!.jobTemplate.spec.ttlSecondsAfterFinished ?? Number.POSITIVE_INFINITY
    const gone = Date.parse(this.#cluster.announced.get(jobName)!) + ttl * 1000
    return asked.some(each => each.path.endsWith(`/jobs/${jobName}`) && each.isAnswered && each.at < gone)
  }

  /** Whether the leader itself got no answer about this start. */
  #wasUnanswered(jobName: string): boolean {
    return this.#leader.asked.some(each => !each.isAnswered && announcedBy(each) === jobName)
  }

  #judge(end: number): Verdict {
    const wrong = this.#once.contradictions.map(inWords)
    const unfounded = this.#unfounded.filter(key => !this.#ran.has(key))
    wrong.push(...unfounded.map(key => `${key} is executed without a Job, and no answer was lost`))
    wrong.push(...this.#unannounced.map(key => `${key} was started before any status announced it`))
    let periods = 0
    for (const [name, spec] of this.#specs) {
      const { status } = this.#cluster.kronJobs.get(name)!
      for (const nominal of this.#periodsOf(name, spec, end)) {
        periods++
        const key = `${name} ${labelOf(printInstant(nominal))}`
        if (!handles(status, nominal)) wrong.push(`${key} has no outcome`)
        else if (!this.#once.knows(key) && !this.#told.has(key) && !this.#mayBeSilent())
          wrong.push(`${key} has neither Job nor reason`)
      }
    }
    return { wrong, periods, jobs: this.#cluster.created, unknown: this.#unknown }
  }

  /** A killed leader may have written an outcome that it could not log. */
  #mayBeSilent(): boolean {
    return (this.#faults.kills ?? 0) + (this.#faults.lastWrites ?? 0) > 0
  }

  #periodsOf(name: string, spec: KronJobSpec, end: number): number[] {
    const read = parseSpec(spec)
    if (!read.ok) throw new Error(name)
    const job: Job = jobOf(`shop/${name}`, read.schedule)
    const found: number[] = []
    const { cron, zone } = read.schedule
    for (let at = next(cron, zone, START / 1000)!; at < end; at = next(cron, zone, at)!)
      if (decide(job, at).chosen! < end) found.push(at)
    return found
  }
}

const labelOf = (periodId: string): string => periodId.replace(/[-:]/g, '')

function handles(status: KronJob['status'], nominal: number): boolean {
  const through = parseInstant(status?.handledThrough ?? '')
  return (through.ok && nominal <= through.value) || !!status?.handledPeriods?.includes(printInstant(nominal))
}

interface Body {
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> }
  readonly status?: { readonly intent?: { readonly jobName?: string; readonly at?: string } | null }
}

const atOf = ({ body }: Asked): number | undefined => {
  const at = (body as Body).status?.intent?.at
  return at === undefined ? undefined : Date.parse(at)
}

/** The Job that a request announces or creates. */
function announcedBy({ method, body }: Asked): string | undefined {
  const { metadata, status } = (body ?? {}) as Body
  return method === 'POST' ? metadata?.name : status?.intent?.jobName
}

const isCreation = ({ method, isDryRun }: Asked): boolean => method === 'POST' && !isDryRun

/** The KronJob that a request is about. Reads are about nothing. */
function subjectOf({ method, path, body }: Asked): string {
  if (method === 'POST') return (body as Body).metadata?.labels?.['kron.io/name'] ?? ''
  return method === 'PATCH' ? path.split('/').at(-2)! : ''
}
