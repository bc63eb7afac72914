import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Slots } from './clock.ts'
import { PipeReader } from './pipe-reader.ts'

/** The reader of the daemon's log, or a daemon that is late on purpose. */
export type Reader =
  | 'reads'
  | 'reads too'
  | 'stopped'
  | 'slow'
  | 'dead'
  | 'closed'
  | 'full disk'
  /** Its reader reads, but its jobs are late by five milliseconds and the start of a process. */
  | 'control: 5 ms late'
  /** Its reader is slow, and its log writer waits for it. */
  | 'control: blocks'

export const READERS: readonly Reader[] = [
  ...(['reads', 'reads too', 'stopped', 'slow', 'dead', 'closed', 'full disk'] as const),
  ...(['control: 5 ms late', 'control: blocks'] as const),
]
export const JOBS = 4
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const ENTRY = at('../../packages/testkit/src/krond/blackbox/entry.ts')
const KROND = at('../../packages/krond/src/bin/krond.ts')
const NODE = [process.execPath, '--conditions=kron-source', '--no-warnings']
/** Leaves little room on a disk of 4 MiB; without it, there is enough for all that the daemon has kept. */
const FILLED_BYTES = 4_000_000
/** Prints 80 KB a second: the log is always written to, and all that krond keeps for a reader is full after seconds. */
const PRINTER = `setInterval(() => process.stdout.write(('x'.repeat(199) + '\\n').repeat(40)), 100)`

export interface Result {
  readonly reader: Reader
  /** The time of each start, in epoch milliseconds, by `job period`; a period that ran twice has two. */
  readonly starts: ReadonlyMap<string, readonly number[]>
  readonly answersStatus: boolean
  /** Whether it still ran at the end of the measured minutes. */
  readonly isAlive: boolean
  /** Lines that were dropped and counted; undefined where nobody can be told. */
  readonly droppedLines: number | undefined
  readonly exitCode: number | null
}

/** One daemon with one kind of log reader. */
export class Variant {
  readonly reader: Reader
  readonly slot: number
  readonly #directory: string
  #child!: ChildProcess
  #exit!: Promise<number | null>
  #pipe: PipeReader | undefined
  #full: string | undefined

  constructor(reader: Reader, slot: number, directory: string) {
    this.reader = reader
    this.slot = slot
    this.#directory = directory
  }

  start(slots: Slots): void {
    const here = this.#directory
    mkdirSync(`${here}/jobs`, { recursive: true })
    writeFileSync(`${here}/printer.mjs`, PRINTER)
    writeFileSync(`${here}/step`, '0')
    writeFileSync(`${here}/ran`, '')
    const late = this.reader === 'control: 5 ms late' ? 'sleep 0.005; ' : ''
    const says = `${late}echo \\"$KRON_JOB $KRON_PERIOD_ID $(date +%s%N)\\" >> ${here}/ran`
    const lines = Array.from(
      { length: JOBS },
      (_, n) => `* * * * * @policy(deadline=50s) name=job${n} shell=true command="${says}"`,
    )
    // Whichever of these minutes comes first after the start of the daemon.
    const printer = `3-8 * * * * @policy(concurrency=forbid) name=printer command="${process.execPath} ${here}/printer.mjs"`
    writeFileSync(`${here}/jobs/all.kron`, `${[...lines, printer].join('\n')}\n`, { mode: 0o644 })
    const blocks = this.reader === 'control: blocks' ? [`--import=${at('blocking-log.mjs')}`] : []
    const words = ['start', '--config', `${here}/jobs`, '--log-format', 'json', '--pid-file', `${here}/pid`]
    const program = [...NODE, ...blocks, ENTRY, ...words, ...this.#places, '--stop', 'terminate']
    const [file, ...rest] =
      this.reader === 'closed' ? ['/bin/sh', '-c', 'exec "$@" 2>&-', 'sh', ...program] : program
    const log = this.#openLog()
    const clock = slots.clock(this.slot, `${here}/step`)
    const env = { ...process.env, KRON_TEST: JSON.stringify({ clock }) }
    this.#child = spawn(file!, rest, { env, stdio: ['ignore', 'ignore', log ?? 'ignore'] })
    this.#exit = new Promise(resolve => this.#child.on('exit', code => resolve(code)))
    if (log !== undefined) closeSync(log)
  }

  /** Lets the reader come back, where there is one, and stops the daemon. */
  async finish(): Promise<Result> {
    const isAlive = this.#child.exitCode === null && this.#child.signalCode === null
    const isBlocked = this.reader === 'control: blocks'
    const answersStatus = !isBlocked && (await this.#status())
    if (this.#full !== undefined) rmSync(this.#filler)
    else this.#pipe?.readAll()
    await pause(4_000)
    this.#child.kill('SIGTERM')
    const exitCode = await Promise.race([this.#exit, pause(20_000, null)])
    if (exitCode === null) this.#child.kill('SIGKILL')
    const text = this.#full === undefined ? (this.#pipe?.text ?? '') : readFileSync(this.#full, 'utf8')
    const counts = [...text.matchAll(/"event":"log_dropped","lines":(\d+)/g)].map(each => Number(each[1]))
    const told = this.reader === 'stopped' || this.reader === 'slow' || this.reader === 'full disk'
    return {
      reader: this.reader,
      starts: startsIn(readFileSync(`${this.#directory}/ran`, 'utf8')),
      answersStatus,
      isAlive,
      droppedLines: told ? counts.reduce((sum, each) => sum + each, 0) : undefined,
      exitCode,
    }
  }

  remove(): void {
    this.#child.kill('SIGKILL')
    this.#pipe?.close()
    if (this.#full !== undefined) spawnSync('umount', ['-l', `${this.#directory}/small`])
  }

  get #filler(): string {
    return `${this.#directory}/small/filler`
  }

  get #places(): readonly string[] {
    return ['--state-dir', `${this.#directory}/state`, '--runtime-dir', `${this.#directory}/run`]
  }

  #status(): Promise<boolean> {
    const [program, ...words] = [...NODE, KROND, 'status', ...this.#places]
    return new Promise(resolve => {
      execFile(program!, words, { timeout: 30_000 }, error => resolve(error === null))
    })
  }

  #openLog(): number | undefined {
    const here = this.#directory
    if (this.reader === 'closed') return undefined
    if (this.reader === 'full disk') {
      mkdirSync(`${here}/small`)
      const mount = ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', `${here}/small`]
      if (spawnSync('mount', mount).status !== 0)
        throw new Error('a tmpfs cannot be mounted: this needs root')
      this.#full = `${here}/small/log`
      writeFileSync(this.#filler, Buffer.alloc(FILLED_BYTES))
      return openSync(this.#full, 'a')
    }
    spawnSync('mkfifo', [`${here}/log`])
    const reading = openSync(`${here}/log`, constants.O_RDONLY | constants.O_NONBLOCK)
    const log = openSync(`${here}/log`, 'w')
    this.#pipe = new PipeReader(reading)
    if (this.reader === 'slow' || this.reader === 'control: blocks') this.#pipe.readSlowly()
    else if (this.reader === 'dead') setTimeout(() => this.#pipe?.close(), 5_000)
    else if (this.reader !== 'stopped') this.#pipe.readAll()
    return log
  }
}

function startsIn(text: string): ReadonlyMap<string, readonly number[]> {
  const starts = new Map<string, number[]>()
  for (const line of text.trim().split('\n')) {
    const [job, period, nanoseconds] = line.split(' ')
    if (nanoseconds === undefined) continue
    const key = `${job} ${period}`
    starts.set(key, [...(starts.get(key) ?? []), Number(nanoseconds) / 1e6])
  }
  return starts
}
