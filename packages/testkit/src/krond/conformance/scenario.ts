import assert from 'node:assert/strict'
import { parseInstant } from '@kron/core'
import { stateFileName } from '../../../../krond/src/store/state-store.ts'
import { ranTwice } from '../../once/once.ts'
import { Machine, type MachineOptions, STATE_DIR } from '../simulation/machine.ts'

export const at = (text: string): number => {
  const instant = parseInstant(text)
  assert.ok(instant.ok)
  return instant.value
}

export const T0 = at('2026-03-01T00:00:00Z')
export const HOURLY = '0 * * * *'

export const job = (schedule: string, name = 'a', settings = ''): string =>
  `${schedule} name=${name} ${settings} command=/bin/true`

/** A machine half a minute before midnight with a daemon on these jobs. */
export async function machineWith(
  lines: readonly string[],
  options: Partial<MachineOptions> = {},
): Promise<Machine> {
  const machine = new Machine({ now: T0 - 30, ...options })
  await machine.boot(lines)
  return machine
}

/** `period outcome reason` of every entry of the history. */
export async function outcomes(machine: Machine, name = 'a'): Promise<string[]> {
  const state = await machine.state(name)
  return state!.History.map(each => [each.PeriodID, each.Outcome, each.Reason ?? ''].join(' ').trim())
}

export const statePath = (name: string): string => `${STATE_DIR}/${stateFileName(`/jobs.kron:${name}`)}`

/** Puts another text in a file of the machine's disk. */
export async function overwrite(machine: Machine, path: string, text: string): Promise<void> {
  await machine.disk.remove(path).catch(() => {})
  const file = await machine.disk.create(path, 0o600)
  await file.write(Buffer.from(text))
  await file.sync()
  await machine.disk.syncDirectory(STATE_DIR)
}

export const readText = async (machine: Machine, path: string): Promise<string> =>
  Buffer.from(await machine.disk.read(path)).toString()

/** Asserts that no period ran twice. */
export function assertNoneTwice(machine: Machine): void {
  assert.deepEqual(ranTwice(machine.ran()), [])
}
