import { job, T0 } from '@kron/testkit/krond/conformance/scenario'
import { Machine } from '@kron/testkit/krond/simulation/machine'

/** A job in one phase of its life, and a daemon that has just been killed. */
export interface Scenario {
  readonly name: string
  readonly lines: readonly string[]
  /** Brings the machine to the phase; `run.ts` kills the daemon then. */
  readonly prepare: (machine: Machine) => Promise<void>
  /** The daemon is stopped in order instead, and leaves a summary. */
  readonly isStopped?: boolean
  /** Seconds that the next daemon runs. */
  readonly afterwards?: number
}

export const AFTERWARDS = 620

const MINUTELY = '* * * * * @policy(deadline=10m)'
const FOREVER = { lives: Number.POSITIVE_INFINITY }
/** After this many seconds without a record the state files are written. */
const FLUSHED = 10

export const SCENARIOS: readonly Scenario[] = [
  { name: 'new', lines: [job('0 3 * * *')], prepare: machine => machine.run(FLUSHED) },
  { name: 'ended', lines: [job(MINUTELY)], prepare: machine => machine.run(100) },
  { name: 'ended, in the journal alone', lines: [job(MINUTELY)], prepare: machine => machine.run(91.2) },
  {
    name: 'running',
    lines: [job(MINUTELY)],
    prepare: async machine => {
      machine.processes.behave = () => FOREVER
      await machine.run(30 + FLUSHED)
    },
  },
  {
    name: 'just started',
    lines: [job(MINUTELY)],
    prepare: async machine => {
      machine.processes.behave = () => FOREVER
      await machine.run(30.1)
    },
  },
  {
    name: 'intended, executed',
    lines: [job(MINUTELY)],
    prepare: async machine => {
      machine.processes.behave = () => {
        machine.crash()
        return FOREVER
      }
      await machine.run(31)
    },
  },
  {
    name: 'intended, not executed',
    lines: [job(MINUTELY)],
    prepare: async machine => {
      let isFirst = true
      machine.processes.behave = () => {
        if (!isFirst) return { lives: 1_000 }
        isFirst = false
        machine.crash()
        return 'loseBefore'
      }
      await machine.run(31)
    },
  },
  {
    name: 'refused, waiting for another try',
    lines: [job(MINUTELY)],
    prepare: async machine => {
      machine.processes.behave = () => 'refuse'
      await machine.run(60)
      machine.processes.behave = () => ({ lives: 1_000 })
    },
  },
  {
    name: 'missed',
    lines: [job('* * * * * @policy(deadline=10s)')],
    prepare: async machine => {
      machine.processes.behave = () => 'refuse'
      await machine.run(75)
      machine.processes.behave = () => ({ lives: 1_000 })
    },
  },
  {
    name: 'overlapping windows',
    lines: [job('*/5 * * * * @win(after,30m) @policy(deadline=10m)')],
    prepare: machine => machine.run(1_800),
    afterwards: 2_400,
  },
  {
    name: 'two runs under allow',
    lines: [job('* * * * * @policy(concurrency=allow,deadline=10m)')],
    prepare: async machine => {
      machine.processes.behave = () => FOREVER
      await machine.run(90 + FLUSHED)
    },
  },
  {
    name: 'after a clock that was a year ahead',
    lines: [job('0 * * * *'), job(MINUTELY, 'b')],
    prepare: async machine => {
      await machine.run(70)
      machine.jump(365 * 86_400)
      await machine.run(70)
      machine.jump(-365 * 86_400)
      await machine.run(70)
    },
  },
  {
    name: 'a manual run',
    lines: [job(MINUTELY)],
    prepare: async machine => {
      machine.processes.behave = () => FOREVER
      void machine.daemon!.actions.trigger({ requestId: 'request-1', identity: '/jobs.kron:a', user: 'ada' })
      await machine.run(FLUSHED)
    },
  },
  { name: 'stopped', lines: [job(MINUTELY)], prepare: machine => machine.run(100), isStopped: true },
]

/** A machine in the phase, with its daemon dead. The same each time. */
export async function machineIn({ lines, prepare, isStopped }: Scenario): Promise<Machine> {
  const machine = new Machine({ now: T0 - 30 })
  await machine.boot(lines)
  await prepare(machine)
  if (isStopped === true) await machine.stop(true)
  else machine.crash()
  return machine
}
