import { setImmediate as macrotask } from 'node:timers/promises'
import { Chance } from '../../chance.ts'
import { statePath } from './durable-states.ts'
import { partOf } from './fault-plan.ts'
import type { Violation } from './invariant.ts'
import { JobLines } from './job-lines.ts'
import { Machine } from './machine.ts'
import { JOB_FILE, STATE_DIR } from './places.ts'
import { randomBehaviour, randomLingering } from './random-behaviour.ts'
import { randomMessages, withShimDeaths } from './random-messages.ts'
import type { Sabotage } from './sabotage.ts'
import { StateChecks } from './state-checks.ts'
import type { FaultKind, Tally } from './tally.ts'
import { Witness } from './witness.ts'

const HOUR = 3_600
const DAY = 86_400
const FIRST = 1_767_225_600 // 2026-01-01T00:00:00Z

export interface HistoryOptions {
  readonly sabotage?: Sabotage
  /** The number of outcomes that a state keeps; random if it is not given. */
  readonly kept?: number
  /** Also simulates every wake-up of an idle daemon. */
  readonly everyWakeUp?: boolean
}

/** One random history of a host, checked at every step. The same seed gives the same history. */
export class History {
  readonly witness: Witness
  private readonly chance: Chance
  private readonly machine: Machine
  private readonly checks: StateChecks
  private readonly tally: Tally
  private readonly jobs: JobLines
  /** The daemon refuses to work for a reason that the simulation did not cause. */
  private refused = false

  constructor(seed: number, tally: Tally, { sabotage, kept, everyWakeUp = false }: HistoryOptions = {}) {
    const chance = new Chance(seed)
    this.chance = chance
    this.tally = tally
    const history = chance.pick([0, 0, 1, 2, 3, 5, 10, 50])
    const maxConcurrent = chance.happens(0.2) ? chance.between(1, 3) : Number.POSITIVE_INFINITY
    this.witness = new Witness({
      life: () => this.machine.life,
      now: () => this.machine.clock.now(),
      monotonic: () => this.machine.clock.monotonic(),
      maxConcurrent,
    })
    this.machine = new Machine({
      now: FIRST + chance.between(0, 365 * DAY),
      random: chance.next,
      history: kept ?? history,
      maxConcurrent,
      observer: this.witness,
      everyWakeUp,
      messages: randomMessages(seed, kind => this.count(kind)),
      ...(sabotage === undefined ? {} : { sabotage }),
    })
    const { machine } = this
    machine.processes.observer = this.witness
    const count = (kind: FaultKind): void => this.count(kind)
    machine.processes.behave = withShimDeaths(seed, () => randomBehaviour(chance, count), count)
    machine.processes.lingers = randomLingering(seed)
    machine.part = size => partOf(size, chance.next())
    machine.onDiskFault = (code, torn) => {
      this.count(code === 'EIO' ? 'eio' : 'enospc')
      if (torn) this.count('tornWrite')
    }
    this.checks = new StateChecks(machine, this.witness)
    this.jobs = new JobLines(chance)
  }

  /** The starts, in order. */
  get started(): readonly string[] {
    return this.machine.ran()
  }

  /** Simulates a span, in seconds, or until enough invariants are violated. */
  async live(
    span: number,
    enough = (violations: readonly Violation[]) => violations.length > 0,
  ): Promise<void> {
    const { machine, tally } = this
    const end = machine.clock.monotonic() / 1_000 + span
    await this.boot()
    while (machine.clock.monotonic() / 1_000 < end) {
      await this.step()
      if (enough(this.witness.violations) || this.refused) return
    }
    machine.crash()
    await this.checks.left(this.jobs.names, 'daemon')
    if (enough(this.witness.violations) || this.refused) return
    tally.seconds += span
    tally.executions += machine.processes.started.length
    this.count('dstNearby', this.witness.nearDst)
  }

  /** A daemon may give up for one reason only: the disk failed because the simulation made it fail. */
  private checkFatal(): void {
    const { fatal } = this.machine
    if (fatal === undefined || isSimulated(fatal)) return
    this.refused = true
    this.witness.accuse(['krond durability'], `the daemon gave up: ${fatal.message}`)
  }

  private count(kind: FaultKind, times = 1): void {
    this.tally.faults[kind] += times
  }

  private async step(): Promise<void> {
    const { chance, machine } = this
    this.plantFaults()
    const span = this.pickSpan()
    await machine.run(span)
    if (!machine.isDead) {
      this.witness.heardAll()
      if (span >= 600) this.checks.attended()
    } else this.checkFatal()
    const event = chance.pick(['crash', 'crash', 'crash', 'clock', 'reload', 'stop', 'nothing', 'nothing'])
    if (machine.isDead || event === 'crash') await this.fall()
    else if (event === 'clock') await this.changeClock()
    else if (event === 'reload') await this.reload()
    else if (event === 'stop') await this.stop()
  }

  private plantFaults(): void {
    const { chance, machine } = this
    if (chance.happens(0.6)) {
      machine.crashAt = machine.steps + chance.between(1, chance.pick([5, 20, 60]))
      machine.crashAfter = chance.happens(0.5)
    }
    if (!chance.happens(0.08)) return
    machine.failAt = machine.steps + chance.between(1, 60)
    machine.failWith = chance.pick(['ENOSPC', 'EIO'])
  }

  private pickSpan(): number {
    const { chance } = this
    if (this.jobs.dense !== undefined) return chance.pick([10, 60, 600, HOUR])
    return chance.pick([10, 600, 2 * HOUR, DAY / 2, 2 * DAY, 4 * DAY, 6 * DAY, 10 * DAY])
  }

  /** The daemon dies, if it is not dead yet, perhaps with the machine; then it restarts. */
  private async fall(): Promise<void> {
    const { chance, machine, witness } = this
    const died = machine.isDead && machine.fatal === undefined
    const down = chance.happens(0.35) ? chance.pick(['power', 'power', 'reboot']) : 'daemon'
    if (!machine.gaveUp) {
      this.tally.crashes++
      if (!died) this.count('crashBetweenSteps')
      else this.count(machine.crashAfter ? 'crashAfterStep' : 'crashBeforeStep')
    }
    const before = machine.processes.living
    if (down === 'power') this.cutPower()
    else if (down === 'reboot') {
      machine.reboot()
      this.count('reboot')
    } else {
      machine.crash()
      this.count('outlivesDaemon', before.length)
    }
    witness.silenced()
    await this.checks.left(this.jobs.names, down === 'power' ? 'powerCut' : 'daemon')
    if (down !== 'daemon' && chance.happens(0.5)) {
      machine.processes.impersonate(before)
      this.count('pidReused', before.length)
    }
    machine.spare()
    await this.whileDown()
    await this.boot()
  }

  private cutPower(): void {
    const loss = this.machine.crash(true)!
    this.count('powerCut')
    this.count('lostName', loss.names)
    this.count('tornWrite', loss.torn)
    this.count('reorderedWrite', loss.reordered)
  }

  private async whileDown(): Promise<void> {
    const { chance, machine } = this
    if (chance.happens(0.15)) {
      this.edit()
      this.count('editWhileDown')
    }
    if (chance.happens(0.1)) await this.corrupt(chance.pick(this.jobs.names))
    if (chance.happens(0.1)) await this.changeClock()
    if (chance.happens(0.3)) await machine.run(chance.pick([5, 300, DAY / 4, 3 * DAY]))
  }

  /** Boots until a daemon is up: a new daemon may also be killed, or fail because of the disk. */
  private async boot(): Promise<void> {
    const { chance, machine, witness } = this
    for (let attempt = 1; ; attempt++) {
      if (attempt < 5 && chance.happens(0.25)) machine.crashAt = machine.steps + chance.between(1, 30)
      machine.crashAfter = chance.happens(0.5)
      witness.configured(this.jobs.entries)
      await this.inTime(machine.boot(this.jobs.lines))
      if (!machine.isDead) break
      this.checkFatal()
      if (this.refused) return
      if (!machine.gaveUp) {
        this.tally.crashes++
        this.count('crashWhileStarting')
      }
      machine.spare()
      const end = chance.happens(0.3) ? 'powerCut' : 'daemon'
      if (end === 'powerCut') this.cutPower()
      else machine.crash()
      witness.silenced()
      await this.checks.left(this.jobs.names, end)
    }
    machine.spare()
    await this.checks.followed()
  }

  /** Lets time pass until the work is done: it may wait for a message. */
  private async inTime(work: Promise<void>): Promise<void> {
    let isDone = false
    void work.then(() => {
      isDone = true
    })
    for (;;) {
      await macrotask()
      if (isDone) return
      await this.machine.run(0.1)
    }
  }

  private async changeClock(): Promise<void> {
    const { chance, machine, witness } = this
    const by = chance.pick([-DAY, -HOUR, -30, 30, HOUR, DAY, 3 * DAY])
    // A clock that is set while a start is on its way to serve makes that start early or late: nobody can prevent it.
    await machine.requestsRead()
    witness.epoch++
    if (by > 0 && chance.happens(0.5)) {
      machine.sleep(by)
      this.count('suspend')
    } else {
      machine.jump(by)
      this.count(by > 0 ? 'clockForward' : 'clockBackward')
    }
  }

  private edit(): void {
    this.jobs.edit()
    this.count('jobSuspended', this.jobs.suspended)
  }

  private async reload(): Promise<void> {
    const { chance, machine, witness } = this
    if (chance.happens(0.2)) {
      await machine.reload([...this.jobs.lines, '61 * * * * name=wrong command=/bin/true'])
      return this.count('reloadRefused')
    }
    await machine.requestsRead()
    if (machine.isDead) return
    this.edit()
    witness.configured(this.jobs.entries)
    await this.inTime(machine.reload(this.jobs.lines).then(() => {}))
    this.count('reload')
    if (!machine.isDead) await this.checks.followed()
  }

  private async stop(): Promise<void> {
    const { chance, machine } = this
    machine.spare()
    if (chance.happens(0.2)) machine.crashAt = machine.steps + chance.between(1, 20)
    const summarise = chance.happens(0.7)
    if (summarise) this.count('summary')
    let isFinished = false
    void machine.stop(summarise).then(finished => {
      isFinished = finished
    })
    await machine.run(120)
    if (machine.isDead) this.count('orderlyStop')
    machine.crash()
    machine.spare()
    this.witness.silenced()
    await this.checks.left(this.jobs.names, isFinished ? 'stop' : 'daemon')
    await this.whileDown()
    await this.boot()
  }

  /** Corrupts the state file of a job, so that it is not JSON any more. */
  private async corrupt(name: string): Promise<void> {
    const { machine, chance } = this
    const identity = `${JOB_FILE}:${name}`
    const path = statePath(identity)
    const bytes = await machine.disk.read(path).catch(() => undefined)
    if (bytes === undefined) return
    const { modifiedAt } = await machine.disk.stat(path)
    const entry = this.jobs.entries.find(each => each.identity === identity)
    if (modifiedAt > machine.clock.now() || this.witness.outran(identity, entry, modifiedAt)) return
    const left = chance.pick([new Uint8Array(), bytes.slice(0, bytes.length >> 1), bytes.map(() => 0)])
    await machine.disk.remove(path)
    const file = await machine.disk.create(path, 0o600)
    await file.write(left)
    await file.sync()
    await machine.disk.syncDirectory(STATE_DIR)
    this.checks.corrupted(identity)
    this.count('corruptState')
  }
}

function isSimulated(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes('simulated')) return true
  }
  return false
}
