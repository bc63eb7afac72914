/** krond on a clock of the torturer; KRON_TORTURE names the replaced parts. */

import { parseCommandLine } from '@kron/cli'
import { nodeDisk } from '@kron/runtime'
import { type ClockSettings, shiftedClock } from '@kron/testkit/krond/blackbox/shifted-clock'
import { type Death, SuddenDeath } from '@kron/testkit/krond/blackbox/sudden-death'
import { KROND } from '../../../packages/krond/src/cli.ts'
import { type Seams, start } from '../../../packages/krond/src/commands/start.ts'

export interface Circumstances {
  readonly clock: ClockSettings
  readonly death?: Death
}

const line = parseCommandLine(KROND, process.argv.slice(2))
if (line.kind !== 'run' || line.command.name !== 'start') throw new Error('this runs krond start only')
const { clock, death } = JSON.parse(process.env['KRON_TORTURE']!) as Circumstances
delete process.env['KRON_TORTURE']

const killer = death === undefined ? undefined : new SuddenDeath(death)
const seams: Seams = {
  clock: shiftedClock(clock),
  ...(killer === undefined ? {} : { disk: killer.disk(nodeDisk), channel: each => killer.channel(each) }),
}
void start(line.options, seams).then(code => process.exit(code))
