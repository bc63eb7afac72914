import { Chance } from './chance.test-support.ts'
import { Invariants } from './invariants.test-support.ts'
import { Machine } from './machine.test-support.ts'
import { randomJob } from './random-job.test-support.ts'
import type { Behaviour } from './virtual-processes.test-support.ts'

export interface Tally {
  seconds: number
  starts: number
  crashes: number
  powerCuts: number
  jumps: number
  reloads: number
  writeFailures: number
}

export const noTally = (): Tally => ({
  seconds: 0,
  starts: 0,
  crashes: 0,
  powerCuts: 0,
  jumps: 0,
  reloads: 0,
  writeFailures: 0,
})

const DAY = 86_400
const FIRST = 1_767_225_600 // 2026-01-01T00:00:00Z

/** One random history of a host, checked after every step. The same seed gives the same history. */
export async function simulate(seed: number, span: number, tally: Tally): Promise<void> {
  const chance = new Chance(seed)
  const machine = new Machine({ now: FIRST + chance.between(0, 365 * DAY), random: chance.next })
  machine.processes.behave = () => behaviour(chance)
  const invariants = new Invariants(machine)
  const names = Array.from({ length: chance.between(1, 5) }, (_, i) => `job-${i}`)
  let lines = names.map(name => randomJob(name, chance))
  // What a period's decision was made from may have changed since it started: starts are checked before every edit.
  const check = (): void => {
    invariants.starts(lines)
    if (machine.fatal !== undefined && !isSimulated(machine.fatal)) throw machine.fatal
  }
  await machine.boot(lines)
  const end = machine.clock.monotonic() / 1_000 + span
  while (machine.clock.monotonic() / 1_000 < end) {
    if (chance.happens(0.5)) machine.crashAt = machine.steps + chance.between(1, 60)
    machine.crashAfter = chance.happens(0.5)
    if (chance.happens(0.05)) machine.failAt = machine.steps + chance.between(1, 200)
    await machine.run(chance.pick([10, 600, 7_200, DAY / 2]))
    check()
    const event = chance.pick(['crash', 'crash', 'jump', 'reload', 'nothing', 'nothing'])
    if (machine.isDead || event === 'crash') {
      const power = chance.happens(0.3)
      if (machine.fatal !== undefined) tally.writeFailures++
      machine.crash(power)
      tally.crashes++
      if (power) tally.powerCuts++
      // Only now: what a power cut took had never been promised.
      await invariants.states(names)
      machine.crashAt = Number.POSITIVE_INFINITY
      machine.failAt = Number.POSITIVE_INFINITY
      if (chance.happens(0.3)) await machine.run(chance.pick([5, 300, 3 * DAY]))
      await machine.boot(lines)
    } else if (event === 'jump') {
      machine.clock.jump(chance.pick([-DAY, -3_600, -30, 30, 3_600, DAY]) * 1_000)
      tally.jumps++
    } else if (event === 'reload') {
      machine.crashAt = Number.POSITIVE_INFINITY
      lines = names.filter(() => chance.happens(0.9)).map(name => randomJob(name, chance))
      await machine.reload(lines)
      tally.reloads++
    }
  }
  machine.crash()
  check()
  await invariants.states(names)
  tally.seconds += span
  tally.starts += machine.processes.started.length
}

/** The only reason a daemon may give up: the disk failed, because the simulation made it fail. */
function isSimulated(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes('simulated')) return true
  }
  return false
}

function behaviour(chance: Chance): Behaviour {
  if (chance.happens(0.03)) return 'refuse'
  if (chance.happens(0.02)) return 'lose'
  const lives = chance.pick([50, 1_000, 30_000, 400_000, 4_000_000])
  return { lives, exitCode: chance.pick([0, 0, 1]), ignoresSignals: chance.happens(0.01) }
}
