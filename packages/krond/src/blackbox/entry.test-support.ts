/** krond with seams: what it stands on is told by KRON_TEST, and the rest is the real daemon. */

import { parseCommandLine } from '@kron/cli'
import { LaunchError, type Launcher, linuxProcessTable, nodeDisk, posixLauncher } from '@kron/runtime'
import { type Fault, faultyDisk } from '@kron/testkit/faulty-disk'
import { KROND } from '../cli.ts'
import { type Seams, start } from '../commands/start.ts'
import { type ClockSettings, shiftedClock } from './shifted-clock.test-support.ts'
import { type Death, SuddenDeath } from './sudden-death.test-support.ts'

export interface Circumstances {
  readonly clock?: ClockSettings
  readonly death?: Death
  readonly faults?: readonly Fault[]
  /** How many launches the system refuses for want of processes. */
  readonly refusals?: number
}

function seamsOf({ clock, death, faults = [], refusals = 0 }: Circumstances): Seams {
  const table = linuxProcessTable()
  const disk = faults.length === 0 ? nodeDisk : faultyDisk(nodeDisk, faults)
  const launcher = refusing(refusals, posixLauncher(table))
  const killer = death === undefined ? undefined : new SuddenDeath(death)
  return {
    table,
    disk: killer?.disk(disk) ?? disk,
    launcher: killer?.launcher(launcher) ?? launcher,
    ...(clock === undefined ? {} : { clock: shiftedClock(clock) }),
  }
}

function refusing(times: number, inner: Launcher): Launcher {
  let left = times
  return {
    launch: async spec => {
      if (left-- > 0) throw new LaunchError('cannot fork: EAGAIN', { code: 'EAGAIN', created: 'no' })
      return inner.launch(spec)
    },
  }
}

const line = parseCommandLine(KROND, process.argv.slice(2))
if (line.kind !== 'run' || line.command.name !== 'start') throw new Error('this runs krond start only')
const circumstances = JSON.parse(process.env['KRON_TEST'] ?? '{}') as Circumstances
delete process.env['KRON_TEST']
delete process.env['NODE_COMPILE_CACHE']
process.exit(await start(line.options, seamsOf(circumstances)))
