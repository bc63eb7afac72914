import { findZone, type Zone } from '@kron/core'
import { parseCron } from '../../../../scheduler/src/cron/cron.ts'
import { CronOccurrences } from '../../../../scheduler/src/cron/occurrences.ts'
import { checkTrace, type Trace, tasksOf, type Violation } from '../../../../scheduler/src/index.ts'
import { Chance } from '../../chance.ts'
import { type Behaviour, World } from '../model/world.ts'
import { DiskStore, type StoreSabotage } from './disk-store.ts'
import { noTally, type SchedulerFault, type SchedulerTally } from './scheduler-tally.ts'

/** Resolves when everything that was set off has come to rest. */
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const FIRST = Date.UTC(2026, 0, 1)
const LATENCY = 2 * SECOND
const LONGEST_SLEEP = MINUTE
const LONGEST_DELAY = 10 * MINUTE

const ZONES = ['UTC', 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
const SPARSE = ['30 2 * * *', '0,30 1-2 * * *', '0 12 * * *', '0 0 * * 0', '0 0 1 * 1', '59 23 31 12 *']
const DENSE = ['* * * * *', '0,15,30,45 * * * *', '30 * * * *']
const DELAYS = [0, SECOND, 30 * SECOND, MINUTE, LONGEST_DELAY]
const NAMES = ['a', 'b', 'c', 'd']

interface Task {
  readonly name: string
  readonly cron: string
  readonly delay: number
}

/** One random history of a machine on which schedulers live and die; the same seed gives the same history. */
export class SchedulerHistory {
  readonly tally: SchedulerTally = noTally()
  private readonly chance: Chance
  private readonly world: World
  private readonly zone: Zone
  private readonly behaviours: readonly Behaviour[]
  private store!: DiskStore
  private occurrences: readonly CronOccurrences[] = []
  /** Monotonic time until which the machine is left undisturbed. */
  private until = 0
  private dense = false
  private restlessUntil = 0
  private readonly skipsIdle: boolean

  /** `skipsIdle`: whether wake-ups at which nothing can happen are skipped, which saves most of the time. */
  constructor(seed: number, sabotage: StoreSabotage = {}, skipsIdle = true) {
    this.skipsIdle = skipsIdle
    const chance = new Chance(`scheduler ${seed}`)
    this.chance = chance
    const timeZone = chance.pick(ZONES)
    this.zone = findZone(timeZone)!
    this.behaviours = Array.from({ length: 97 }, () => ({
      afterMs: chance.pick([0, 0, SECOND, MINUTE, 12 * MINUTE]),
      outcome: chance.pick(['succeeds', 'succeeds', 'succeeds', 'fails'] as const),
    }))
    this.world = new World({
      now: FIRST + chance.between(0, 365 * DAY),
      timeZone,
      behaviours: this.behaviours,
      makeStore: clock => {
        this.store = new DiskStore(clock, chance.next)
        this.store.sabotage = sabotage
        return this.store
      },
      stretch: milliseconds => this.stretch(milliseconds),
    })
    this.store.onLoaded = storedAt => this.world.account(storedAt)
  }

  /** Simulates a span, in seconds, and returns the first violated axiom. */
  async live(span: number): Promise<Violation | undefined> {
    const { clock } = this.world
    const end = clock.monotonic() + span * SECOND
    await this.initialize()
    while (clock.monotonic() < end) await this.step()
    await this.setStore('works')
    await this.run(3 * MINUTE)
    if (this.store.dead) await this.fall()
    await this.store.inspect()
    this.tally.seconds += span
    this.tally.executions += this.world.starts.length
    for (let run = 0; run < this.world.starts.length; run++) {
      const { afterMs, outcome } = this.behaviours[run % this.behaviours.length]!
      if (outcome === 'fails') this.count('callbackFails')
      if (afterMs >= MINUTE) this.count('callbackSlow')
    }
    return checkTrace(this.trace)
  }

  get trace(): Trace {
    return { ...this.world.recorder.trace(this.world.clock.now()), slack: 3 * LATENCY }
  }

  private count(kind: SchedulerFault, times = 1): void {
    this.tally.faults[kind] += times
  }

  private async step(): Promise<void> {
    const { chance, store, world } = this
    if (world.phase !== 'stopping' && chance.happens(0.6)) {
      store.crashAt = store.steps + chance.between(1, chance.pick([5, 20, 60]))
      store.crashAfter = chance.happens(0.5)
    }
    await this.run(this.pickSpan())
    if (store.dead) return this.fall()
    store.crashAt = Number.POSITIVE_INFINITY
    if (world.phase === 'idle') return this.initialize()
    const action = chance.pick(['crash', 'crash', 'crash', 'stop', 'clock', 'store', 'again', 'nothing'])
    if (action === 'crash') await this.fall()
    else if (action === 'stop') await this.stop()
    else if (action === 'clock') this.setClock()
    else if (action === 'store') await this.failForAWhile()
    else if (action === 'again') this.initializeAgain()
  }

  private pickSpan(): number {
    if (this.dense) return this.chance.pick([10 * SECOND, MINUTE, 10 * MINUTE, HOUR])
    return this.chance.pick([10 * SECOND, HOUR, DAY / 2, 2 * DAY, 4 * DAY, 7 * DAY, 12 * DAY])
  }

  /** Advances the time, until it is over or the process is dead. */
  private async run(milliseconds: number): Promise<void> {
    const { clock } = this.world
    const end = clock.monotonic() + milliseconds
    this.until = end
    await settled()
    while (!this.store.dead && clock.step(end)) await settled()
    if (!this.store.dead) clock.advance(end - clock.monotonic())
  }

  /** The process dies, perhaps with its machine, and another one starts some time later. */
  private async fall(): Promise<void> {
    const { chance, store, world } = this
    if (world.phase === 'stopping') return
    this.tally.crashes++
    if (!store.dead) this.count('crashBetweenSteps')
    else this.count(store.crashAfter ? 'crashAfterStep' : 'crashBeforeStep')
    const { isLoaded } = store
    const loss = store.die(chance.happens(0.35))
    if (loss !== undefined) {
      this.count('powerCut')
      if (!isLoaded) this.count('powerCutBeforeLoad')
      this.count('lostName', loss.names)
      this.count('tornWrite', loss.torn)
      this.count('reorderedWrite', loss.reordered)
    }
    store.crashAt = Number.POSITIVE_INFINITY
    world.die()
    store.revive()
    if (chance.happens(0.1)) this.setClock()
    if (chance.happens(0.3)) await this.run(chance.pick([5 * SECOND, HOUR, 3 * DAY]))
    if (chance.happens(0.25)) store.crashAt = store.steps + chance.between(1, 20)
    await this.initialize()
    await this.run(SECOND)
  }

  private async initialize(): Promise<void> {
    const { chance, world } = this
    this.disturbed()
    if (chance.happens(0.1)) {
      this.count('invalidList')
      world.scheduler.initialize([world.registration('a', '61 * * * *', 0)]).catch(() => {})
      await settled()
    }
    this.dense = chance.happens(0.15)
    const tasks = NAMES.filter(() => chance.happens(0.7)).map(
      (name): Task => ({
        name,
        cron: chance.pick(this.dense && chance.happens(0.5) ? DENSE : SPARSE),
        delay: chance.pick(DELAYS),
      }),
    )
    this.occurrences = tasks.map(({ cron }) => new CronOccurrences(parseCron(cron), this.zone))
    this.count('registration', tasks.length)
    const list = tasks.map(({ name, cron, delay }) => world.registration(name, cron, delay))
    world.scheduler.initialize(list).catch(() => {})
  }

  /** A second initialization of an active scheduler must be refused. */
  private initializeAgain(): void {
    this.count('secondInitialize')
    this.world.scheduler.initialize([]).catch(() => {})
  }

  private async stop(): Promise<void> {
    const { world } = this
    this.count('stop')
    world.scheduler.stop().catch(() => {})
    for (let patience = 30; world.phase !== 'idle' && patience > 0; patience--) await this.run(MINUTE)
  }

  private setClock(): void {
    this.disturbed()
    const by = this.chance.pick([-20 * HOUR, -HOUR, -30 * SECOND, 30 * SECOND, HOUR, DAY, 3 * DAY])
    this.count(by < 0 ? 'clockBackward' : 'clockForward')
    this.world.setClock(by)
  }

  private async failForAWhile(): Promise<void> {
    const { chance } = this
    const kind = chance.pick(['fails', 'works but says it failed', 'works'] as const)
    if (kind === 'fails') this.count('storeFails')
    else if (kind === 'works') this.count('storeSlow')
    else this.count('storeAnswerLost')
    await this.setStore(kind, chance.between(0, LATENCY))
    await this.run(chance.pick([10 * SECOND, HOUR, 12 * HOUR]))
    await this.setStore('works')
  }

  private async setStore(kind: 'works' | 'fails' | 'works but says it failed', afterMs = 0): Promise<void> {
    this.disturbed()
    this.world.setFate({ kind, afterMs })
  }

  /** The next wake-ups may notice this event, so none of them is skipped. */
  private disturbed(): void {
    this.restlessUntil = this.world.clock.monotonic() + 30 * MINUTE
  }

  /** Idle wake-ups are skipped while nothing can be due and the machine is left undisturbed. */
  private stretch(milliseconds: number): number {
    const { clock, scheduler } = this.world
    const isIdle = milliseconds === LONGEST_SLEEP && clock.monotonic() >= this.restlessUntil
    if (!isIdle || !this.skipsIdle) return milliseconds
    const now = clock.now()
    let quiet = this.until - clock.monotonic()
    for (const each of this.occurrences) quiet = Math.min(quiet, each.after(now) - now)
    // The scheduler tells when a retry is due. Events do not, because the clock may be set after a run fails.
    for (const { nextDueAt = Number.POSITIVE_INFINITY } of tasksOf(scheduler))
      quiet = Math.min(quiet, nextDueAt - now)
    return Math.max(1, Math.floor(quiet / LONGEST_SLEEP) - 1) * LONGEST_SLEEP
  }
}
