import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, type Ratio } from '../measure.ts'

/** A directory of its own, with the programs that the contenders start. */
export interface Workshop {
  readonly directory: string
  /** Appends the time at which it began to the file it is given. */
  readonly stamp: string
  /** Starts a program so many times in a bare loop. */
  readonly bareSpawn: string
  /** Starts a program at random half-seconds, each after a durable write. */
  readonly bareStart: string
}

export function makeWorkshop(directory: string): Workshop {
  return {
    directory,
    stamp: compile('stamp', directory),
    bareSpawn: compile('bare-spawn', directory),
    bareStart: compile('bare-start', directory),
  }
}

function compile(name: string, directory: string): string {
  const program = join(directory, name)
  const source = fileURLToPath(new URL(`./${name}.c`, import.meta.url))
  const { status, stderr } = spawnSync('cc', ['-O2', '-o', program, source], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`cannot compile ${name}: ${stderr}`)
  return program
}

export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Nanoseconds of the epoch, to within a quarter of a microsecond. */
export const stampsIn = (file: string): number[] =>
  readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number)

export const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))]!

export const spread = (values: readonly number[]): Ratio => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
})

export const inMs = (ms: number): string =>
  ms >= 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
