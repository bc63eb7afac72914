import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Circumstances } from './entry.ts'

/** A minute of the jobs passes in a second. */
export const SPEED = 60

/** How daemons are made to see another time than the machine's. */
export interface Wall {
  /** How fast it runs. */
  readonly speed: number
  /** The file of the program. */
  readonly program: string
  environment(more: Omit<Circumstances, 'clock'>): Readonly<Record<string, string>>
  /** Steps the clock by this much. */
  step(milliseconds: number): void
  /** The signal with which a daemon learns of a step. */
  readonly signal: NodeJS.Signals | undefined
}

/** A fast clock under the daemon, through its own seam. */
export function shiftedWall(directory: string, program: string, epoch: number): Wall {
  const stepFile = `${directory}/step`
  const clock = { epoch, start: epoch, speed: SPEED, stepFile }
  return {
    speed: SPEED,
    program,
    environment: more => ({ KRON_TORTURE: JSON.stringify({ clock, ...more } satisfies Circumstances) }),
    step: milliseconds => writeFileSync(stepFile, String(milliseconds)),
    signal: 'SIGUSR2',
  }
}

const packageOfKrond = fileURLToPath(new URL('../../../packages/krond/', import.meta.url))
const { bin } = JSON.parse(readFileSync(`${packageOfKrond}package.json`, 'utf8')) as {
  bin: { krond: string }
}
const delivered = `${packageOfKrond}${bin.krond}`
const library = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

export const fakedWallObstacle = (): string | undefined =>
  library === undefined
    ? 'libfaketime is not installed'
    : existsSync(delivered)
      ? undefined
      : 'krond is not built'

/** The daemon as it is delivered, which is told another time by libfaketime. */
export function fakedWall(directory: string): Wall {
  const file = `${directory}/faketime`
  return {
    speed: 1,
    program: delivered,
    environment: () => ({
      LD_PRELOAD: library!,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
    }),
    step: milliseconds => writeFileSync(file, `${milliseconds < 0 ? '' : '+'}${milliseconds / 1_000}\n`),
    signal: undefined,
  }
}
