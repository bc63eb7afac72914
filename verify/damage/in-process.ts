import { STATE_DIR } from '@kron/testkit/krond/simulation/machine'
import { ranTwice } from '@kron/testkit/once/once'
import { AFTERWARDS, machineIn, type Scenario } from './scenarios.ts'

/** The files of a state directory whose bits are flipped: those that hold a job's state. */
const DAMAGED = /^([0-9a-f]{64}\.json|journal-\d+|summary)$/
/** Events that report the damage. */
const REPORTS = new Set(['state_corrupt', 'error', 'warning', 'journal_cut'])

export interface Tally {
  readonly scenario: string
  readonly file: string
  readonly bits: number
  readonly flipped: number
  /** The daemon refused to start, with a reason. */
  readonly refused: number
  /** The daemon reported the damage and went on. */
  readonly reported: number
  /** No check noticed the damage. */
  readonly silent: readonly number[]
  readonly twice: readonly string[]
}

/** Flips every `stride`-th bit of every file of the phase, one at a time, and lets the next daemon run. */
export async function damageInProcess(scenario: Scenario, stride: number, offset: number): Promise<Tally[]> {
  const intact = await machineIn(scenario)
  const files = (await intact.disk.list(STATE_DIR)).filter(name => DAMAGED.test(name))
  const tallies: Tally[] = []
  for (const file of files) {
    const path = `${STATE_DIR}/${file}`
    const bits = (await intact.disk.read(path)).length * 8
    let [refused, reported, flipped] = [0, 0, 0]
    const silent: number[] = []
    const twice: string[] = []
    for (let bit = offset % stride; bit < bits; bit += stride) {
      flipped++
      const fate = await fateOf(scenario, path, bit)
      if (fate.twice !== undefined) twice.push(`bit ${bit}: ${fate.twice}`)
      if (fate.kind === 'refused') refused++
      else if (fate.kind === 'reported') reported++
      else silent.push(bit)
    }
    tallies.push({
      scenario: scenario.name,
      file: kindOf(file),
      bits,
      flipped,
      refused,
      reported,
      silent,
      twice,
    })
  }
  return tallies
}

const kindOf = (file: string): string =>
  file.endsWith('.json') ? 'state' : file.startsWith('journal') ? 'journal' : file

async function fateOf(
  scenario: Scenario,
  path: string,
  bit: number,
): Promise<{ kind: 'refused' | 'reported' | 'silent'; twice: string | undefined }> {
  const machine = await machineIn(scenario)
  machine.disk.decay(path, bit)
  const before = machine.events.length
  await machine.boot(scenario.lines)
  const isRefused = machine.fatal !== undefined
  if (!isRefused) await machine.run(scenario.afterwards ?? AFTERWARDS)
  // A manual run has no period.
  const [twice] = ranTwice(machine.ran().filter(each => !each.endsWith(' ')))
  const isReported = machine.events.slice(before).some(({ event }) => REPORTS.has(event))
  return { kind: isRefused ? 'refused' : isReported ? 'reported' : 'silent', twice }
}
