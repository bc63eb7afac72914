import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The reader of the daemon's log. */
export type Reader = 'reads' | 'stopped' | 'slow' | 'dead' | 'closed' | 'full disk'

export const READERS: readonly Reader[] = ['reads', 'stopped', 'slow', 'dead', 'closed', 'full disk']
export const JOBS = 20
/** More than the daemon keeps for a reader, within two minutes. */
const PRINTED_BYTES = 60_000
const KROND = fileURLToPath(new URL('../../packages/krond/src/bin/krond.ts', import.meta.url))
const SLOW_BYTES = 2_048
/** Leaves little room on a disk of 4 MiB; without it, there is enough for all that the daemon has kept. */
const FILLED_BYTES = 4_000_000
const LOOK_MS = 25

export interface Result {
  readonly reader: Reader
  /** `job period` of every execution. */
  readonly ran: readonly string[]
  /** Start minus chosen time as the children measured it, in ms, ascending. */
  readonly latenessMs: readonly number[]
  readonly answersStatus: boolean
  /** Lines that were dropped and counted; undefined where nobody can be told. */
  readonly droppedLines: number | undefined
  readonly exitCode: number | null
}

/** One daemon with one kind of log reader, at the real speed of time. */
export class Variant {
  readonly reader: Reader
  readonly #directory: string
  #child!: ChildProcess
  #exit!: Promise<number | null>
  #fd: number | undefined
  #timer: NodeJS.Timeout | undefined
  #text = ''
  #full: string | undefined

  constructor(reader: Reader, directory: string) {
    this.reader = reader
    this.#directory = directory
  }

  start(): void {
    const here = this.#directory
    mkdirSync(`${here}/jobs`, { recursive: true })
    const says = `echo "$KRON_JOB $KRON_PERIOD_ID $(date +%s%N) $KRON_CHOSEN_TIME" >> ${here}/ran`
    const prints = `head -c ${PRINTED_BYTES} /dev/zero | tr '\\\\0' x | fold -w 200`
    const command = `${says}; ${prints}`.replaceAll('"', '\\"')
    const lines = Array.from(
      { length: JOBS },
      (_, n) => `* * * * * @policy(deadline=30s) name=job${n} shell=true command="${command}"`,
    )
    writeFileSync(`${here}/jobs/all.kron`, `${lines.join('\n')}\n`, { mode: 0o644 })
    writeFileSync(`${here}/ran`, '')
    const log = this.#openLog()
    const words = [
      'start',
      '--config',
      `${here}/jobs`,
      '--log-format',
      'json',
      ...this.#places,
      '--stop',
      'wait',
    ]
    const program = [process.execPath, '--conditions=kron-source', '--no-warnings', KROND, ...words]
    const [file, ...rest] =
      this.reader === 'closed' ? ['/bin/sh', '-c', 'exec "$@" 2>&-', 'sh', ...program] : program
    this.#child = spawn(file!, rest, { stdio: ['ignore', 'ignore', log ?? 'ignore'] })
    this.#exit = new Promise(resolve => this.#child.on('exit', code => resolve(code)))
    if (log !== undefined) closeSync(log)
  }

  /** Lets the reader come back, where there is one, and stops the daemon. */
  async finish(): Promise<Result> {
    const answersStatus = this.#status()
    if (this.#full !== undefined) rmSync(this.#filler)
    else if (this.reader === 'stopped' || this.reader === 'slow') this.#read(LOOK_MS, 1 << 20)
    await pause(6_000)
    this.#child.kill('SIGTERM')
    const exitCode = await Promise.race([this.#exit, pause(30_000, null)])
    clearInterval(this.#timer)
    if (exitCode === null) this.#child.kill('SIGKILL')
    const text = this.#full === undefined ? this.#text : readFileSync(this.#full, 'utf8')
    const counts = [...text.matchAll(/"event":"log_dropped","lines":(\d+)/g)].map(each => Number(each[1]))
    const lines = readFileSync(`${this.#directory}/ran`, 'utf8').trim().split('\n')
    const told = this.reader === 'stopped' || this.reader === 'slow' || this.reader === 'full disk'
    return {
      reader: this.reader,
      ran: lines.map(line => line.split(' ').slice(0, 2).join(' ')),
      latenessMs: lines.map(lateness).sort((a, b) => a - b),
      answersStatus,
      droppedLines: told ? counts.reduce((sum, each) => sum + each, 0) : undefined,
      exitCode,
    }
  }

  remove(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    if (this.#full !== undefined) spawnSync('umount', ['-l', `${this.#directory}/small`])
  }

  get #filler(): string {
    return `${this.#directory}/small/filler`
  }

  get #places(): readonly string[] {
    const here = this.#directory
    return ['--state-dir', `${here}/state`, '--runtime-dir', `${here}/run`, '--pid-file', `${here}/pid`]
  }

  #status(): boolean {
    const places = this.#places.slice(0, 4)
    const words = ['--conditions=kron-source', '--no-warnings', KROND, 'status', ...places]
    return spawnSync(process.execPath, words, { timeout: 20_000 }).status === 0
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
    this.#fd = openSync(`${here}/log`, constants.O_RDONLY | constants.O_NONBLOCK)
    const log = openSync(`${here}/log`, 'w')
    if (this.reader === 'reads') this.#read(LOOK_MS, 1 << 20)
    if (this.reader === 'slow') this.#read(1_000, SLOW_BYTES)
    if (this.reader === 'dead')
      setTimeout(() => {
        closeSync(this.#fd!)
        this.#fd = undefined
      }, 5_000)
    return log
  }

  #read(everyMs: number, bytes: number): void {
    clearInterval(this.#timer)
    const buffer = Buffer.alloc(bytes)
    this.#timer = setInterval(() => {
      try {
        this.#text += buffer.toString('utf8', 0, readSync(this.#fd!, buffer, 0, bytes, null))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
    }, everyMs)
  }
}

/** Milliseconds from the chosen second to the start. */
function lateness(line: string): number {
  const [, , startedNs = '0', chosen = ''] = line.split(' ')
  return Number(BigInt(startedNs) / 1_000_000n) - Date.parse(chosen)
}
