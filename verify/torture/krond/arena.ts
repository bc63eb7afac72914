import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Entry, parseJobFile } from '@kron/host'
import type { Death } from '@kron/testkit/krond/blackbox/sudden-death'
import type { LogLine } from './account.ts'
import { saysTo } from './jobs.ts'
import { Tail } from './tail.ts'
import { shiftedWall, type Wall } from './wall.ts'

export const HISTORY = 100
const PATIENCE = 120_000
const HURRY_EVERY = 500
const HURRY_BY = 20_000

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface DaemonFiles {
  readonly entry: string
  /** Where daemons keep what they compiled, because those that are killed leave nothing. */
  readonly cache: string
}

/** One daemon, from its start to its end. */
export interface Life {
  readonly pid: number
  readonly exit: Promise<Exit>
  ended: Exit | undefined
  /** How many lines of the log came before it. */
  readonly since: number
  readonly child: ChildProcess
}

export interface LaunchOptions {
  readonly death?: Death
}

/** A directory with job files, state and what the children write, on which daemons come and go. */
export class Arena {
  readonly directory: string
  readonly stateDir: string
  readonly jobFile: string
  readonly says: string
  /** Lines of the log, all of them. */
  readonly log: LogLine[] = []
  /** False once edits or steps of the clock have made the books of periods ambiguous. */
  isPlain = true
  /** Whom the daemons run as. */
  uid: number | undefined
  wall: Wall
  /** Further options of the daemons. */
  flags: readonly string[] = []
  private readonly daemon: DaemonFiles
  private readonly epoch = Date.now()
  private readonly logTail: Tail
  private readonly ranTail: Tail
  private readonly lives = new Set<Life>()
  private stepped = 0
  private furthest = 0
  private hurriedAt = 0

  constructor(directory: string, daemon: DaemonFiles) {
    this.directory = directory
    this.daemon = daemon
    this.stateDir = `${directory}/state`
    this.jobFile = `${directory}/jobs/all.kron`
    this.says = saysTo(`${directory}/ran`)
    this.logTail = new Tail(`${directory}/log`)
    this.ranTail = new Tail(`${directory}/ran`)
    mkdirSync(`${directory}/jobs`, { recursive: true })
    mkdirSync(this.stateDir, { mode: 0o700 })
    this.wall = shiftedWall(directory, daemon.entry, this.epoch)
    this.wall.step(0)
    writeFileSync(`${directory}/ran`, '', { mode: 0o666 })
  }

  /** The daemons' clock, in ms. */
  now(): number {
    return this.epoch + (Date.now() - this.epoch) * this.wall.speed + this.stepped
  }

  writeJobs(lines: readonly string[]): void {
    writeFileSync(this.jobFile, `${lines.join('\n')}\n`, { mode: 0o644 })
  }

  lines(): string[] {
    return readFileSync(this.jobFile, 'utf8')
      .split('\n')
      .filter(line => line !== '')
  }

  entries(): readonly Entry[] {
    return parseJobFile(this.lines().join('\n'), this.jobFile).entries
  }

  launch(options: LaunchOptions = {}): Life {
    const { uid, wall } = this
    const log = openSync(`${this.directory}/log`, 'a', 0o666)
    // A kill may have torn the last line.
    writeSync(log, '\n')
    const child = spawn(
      process.execPath,
      [
        wall.program,
        'start',
        ...['--config', `${this.directory}/jobs`, '--state-dir', this.stateDir],
        ...['--pid-file', `${this.directory}/pid`, '--log-format', 'json', '--history', String(HISTORY)],
        ...this.flags,
      ],
      {
        stdio: ['ignore', 'ignore', log],
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: this.daemon.cache,
          ...wall.environment(options),
        },
        ...(uid === undefined ? {} : { uid, gid: uid }),
      },
    )
    closeSync(log)
    const exit = new Promise<Exit>(resolve => {
      child.on('exit', (code, signal) => {
        life.ended = { code, signal }
        this.lives.delete(life)
        resolve(life.ended)
      })
    })
    const life: Life = { pid: child.pid!, exit, ended: undefined, since: this.pull().length, child }
    this.lives.add(life)
    return life
  }

  /** All lines of the log so far; what is no log line was written by a child. */
  pull(): readonly LogLine[] {
    for (const line of this.logTail.lines()) {
      try {
        this.log.push(JSON.parse(line) as LogLine)
      } catch {
        // A shell's complaint, or a line that a kill has torn.
      }
    }
    return this.log
  }

  /** The lines that children have written since the last call. */
  ran(): string[] {
    return this.ranTail.lines()
  }

  /** Whether the event came in the log before the daemon ended. */
  async sees(life: Life, event: string): Promise<boolean> {
    let looked = life.since
    return this.waits(life, () => {
      const found = this.pull()
        .slice(looked)
        .some(line => line.event === event)
      looked = this.log.length
      return found
    })
  }

  /** Whether something came true before the daemon ended; a daemon that neither ends nor does it is hung. */
  async waits(life: Life, isTrue: () => boolean): Promise<boolean> {
    const end = Date.now() + PATIENCE
    while (!isTrue()) {
      if (life.ended !== undefined) return isTrue()
      if (Date.now() > end) throw new Error(`krond ${life.pid} hangs`)
      await pause(2)
    }
    return true
  }

  /** Steps the daemons' clock; one that is up learns of it at once. */
  step(milliseconds: number, life?: Life): void {
    this.stepped += milliseconds
    this.furthest = Math.max(this.furthest, this.stepped)
    this.isPlain = false
    this.wall.step(this.stepped)
    const { signal } = this.wall
    if (signal !== undefined && life !== undefined && life.ended === undefined) life.child.kill(signal)
  }

  /** Undoes steps back: periods that were handled before them would keep every job waiting. */
  stepToFurthest(): void {
    if (this.stepped < this.furthest) this.step(this.furthest - this.stepped)
  }

  /** Lets a clock that is no faster than ours get on. */
  hurry(): void {
    if (this.wall.speed > 1 || Date.now() - this.hurriedAt < HURRY_EVERY) return
    this.hurriedAt = Date.now()
    this.step(HURRY_BY)
  }

  /** Ends every daemon that is left. */
  async clear(): Promise<void> {
    for (const life of this.lives) life.child.kill('SIGKILL')
    await Promise.all([...this.lives].map(life => life.exit))
  }

  remove(): void {
    // A child that is still about to write may put its file back meanwhile.
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
