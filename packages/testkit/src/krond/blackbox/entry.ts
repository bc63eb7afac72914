/** krond with test doubles: KRON_TEST names the replaced parts, everything else is the real daemon. */

import { parseCommandLine } from '@kron/cli'
import { type Channel, encodeFrame, LENGTH_BYTES } from '@kron/host'
import { nodeDisk } from '@kron/runtime'
import { type Fault, faultyDisk } from '@kron/testkit/disk/faulty-disk'
import { KROND } from '../../../../krond/src/cli.ts'
import { type Seams, start } from '../../../../krond/src/commands/start.ts'
import { type ClockSettings, shiftedClock } from './shifted-clock.ts'
import { type Death, SuddenDeath } from './sudden-death.ts'

export interface Circumstances {
  readonly clock?: ClockSettings
  readonly death?: Death
  readonly faults?: readonly Fault[]
  /** The number of launches that the system refuses because it has no processes left. */
  readonly refusals?: number
  /** Files of another cron: a test does not depend on a cron of this machine. */
  readonly marksOfCron?: readonly string[]
}

/** Of real time: serve and the runs answer no faster because the clock of a test does. */
const LONGEST_SEARCH_MS = 10_000

function seamsOf({ clock, death, faults = [], refusals = 0, marksOfCron = [] }: Circumstances): Seams {
  const disk = faults.length === 0 ? nodeDisk : faultyDisk(nodeDisk, faults)
  const killer = death === undefined ? undefined : new SuddenDeath(death)
  return {
    disk: killer?.disk(disk) ?? disk,
    channel: channel => refusing(refusals, killer?.channel(channel) ?? channel),
    ...(clock === undefined
      ? {}
      : { clock: shiftedClock(clock), longestSearchMs: LONGEST_SEARCH_MS * clock.speed }),
    marksOfCron,
  }
}

/** Answers the first starts as serve does when the system has no processes left. */
function refusing(times: number, inner: Channel): Channel {
  let left = times
  const EAGAIN = '11'
  const outer: Channel = {
    send: fields => {
      if (fields[0] !== 'start' || left-- <= 0) return inner.send(fields)
      const refusal = encodeFrame(['refused', fields[1]!, 'fork', EAGAIN, '']).subarray(LENGTH_BYTES)
      setImmediate(() => outer.onFrame(refusal))
    },
    onFrame: () => {},
  }
  inner.onFrame = payload => outer.onFrame(payload)
  return outer
}

const line = parseCommandLine(KROND, process.argv.slice(2))
if (line.kind !== 'run' || line.command.name !== 'start') throw new Error('this runs krond start only')
const circumstances = JSON.parse(process.env['KRON_TEST'] ?? '{}') as Circumstances
delete process.env['KRON_TEST']
delete process.env['NODE_COMPILE_CACHE']
process.exit(await start(line.options, seamsOf(circumstances)))
