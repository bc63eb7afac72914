import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { askDaemon, type ControlAnswer, controlSocketOf, type State } from '@kron/host'
import type { Status } from '../../../../krond/src/control/status.ts'
import { stateFileName } from '../../../../krond/src/store/state-store.ts'
import { durableState } from './durable-state.ts'
import type { Circumstances } from './entry.ts'
import { LogFile, type LogLine } from './log-file.ts'

const PATIENCE = 120_000
const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Without a cache, compiling the sources would be most of the cost of a daemon here. */
const CACHED = { ...process.env, NODE_COMPILE_CACHE: script('../../../../node_modules/.cache/kron') }

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface StartOptions {
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Tests can wait for events only in JSON. */
  readonly logFormat?: 'text' | 'json'
  readonly circumstances?: Omit<Circumstances, 'clock'>
  /** Run as this user, who must own the directory. */
  readonly uid?: number
  /** The limit of processes and threads of the user. */
  readonly processes?: number
  /** The limit of the daemon's descriptors. */
  readonly descriptors?: number
  /** The sources of an older daemon that has no runtime directories. */
  readonly earlier?: string
}

const limitsOf = ({ processes, descriptors }: StartOptions): readonly string[] => {
  const limits = [
    ...(processes === undefined ? [] : [`--nproc=${processes}`]),
    ...(descriptors === undefined ? [] : [`--nofile=${descriptors}`]),
  ]
  return limits.length === 0 ? [] : ['prlimit', ...limits]
}

/** A directory with job files and state, and the daemons that run on it one after the other. */
export class Krond {
  readonly directory: string
  readonly stateDir: string
  readonly runtimeDir: string
  readonly jobFile: string
  /** Called before the directory is removed. */
  beforeRemoval: () => void = () => {}
  private readonly epoch = Date.now()
  private readonly start0: number
  private readonly speed: number
  private readonly daemons = new Set<ChildProcess>()
  private readonly logFile: LogFile
  private current: { readonly child: ChildProcess; readonly exit: Promise<Exit> } | undefined

  /** Its clock begins at `at` (epoch milliseconds) and runs `speed` times as fast as ours. */
  constructor(
    context: TestContext,
    { at = Date.now(), speed = 1, stateDir = 'state', runtimeDir = '' } = {},
  ) {
    this.directory = realpathSync(mkdtempSync(`${tmpdir()}/krond-`))
    this.stateDir = `${this.directory}/${stateDir}`
    this.runtimeDir = runtimeDir || `${this.directory}/run`
    this.jobFile = `${this.directory}/jobs/all.kron`
    this.logFile = new LogFile(`${this.directory}/log`)
    this.start0 = at
    this.speed = speed
    mkdirSync(`${this.directory}/jobs`)
    this.step(0)
    context.after(() => this.cleanUp())
  }

  /** Every line any daemon logged, in order. */
  get log(): readonly LogLine[] {
    return this.logFile.lines
  }

  /** Output of daemons and jobs that is not a log line. */
  get stray(): string {
    return this.logFile.stray
  }

  /** The daemon's clock. */
  now(): number {
    return this.start0 + (Date.now() - this.epoch) * this.speed
  }

  write(lines: readonly string[], file = this.jobFile): void {
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  }

  /** A job line whose command is a shell script. */
  job(schedule: string, name: string, script = this.says, settings = ''): string {
    const command = script.replaceAll(/[\\"]/g, '\\$&')
    return `${schedule} name=${name} ${settings} shell=true command="${command}"`
  }

  /** A shell command that writes the period it runs for. */
  get says(): string {
    return `echo "$KRON_IDENTITY $KRON_PERIOD_ID $KRON_EXECUTION_ID" >> ${this.directory}/ran`
  }

  /** The lines that the children wrote: `name period`. */
  ran(): string[] {
    return this.read('ran')
      .split('\n')
      .filter(line => line !== '')
      .map(line => line.slice(line.lastIndexOf('/') + 1).replace(/^[^:]*:/, ''))
      .map(line => line.split(' ').slice(0, 2).join(' '))
  }

  read(name: string): string {
    try {
      return readFileSync(`${this.directory}/${name}`, 'utf8')
    } catch {
      return ''
    }
  }

  identity(name: string): string {
    return `${this.jobFile}:${name}`
  }

  /** Starts a daemon; resolves when it has planned its jobs, or has exited. */
  async start(options: StartOptions = {}): Promise<void> {
    this.launch(options)
    const from = this.log.length
    const ready = this.until(({ event }) => event === 'started_daemon', 'the daemon to start', from)
    await Promise.race([ready.catch(() => {}), this.current!.exit])
  }

  launch(options: StartOptions = {}): void {
    const { flags = [], env = {}, circumstances = {}, logFormat = 'json', uid, earlier } = options
    const [program, ...words] = [...limitsOf(options), process.execPath]
    const clock = {
      epoch: this.epoch,
      start: this.start0,
      speed: this.speed,
      stepFile: `${this.directory}/step`,
    }
    const log = this.logFile.open()
    const child = spawn(
      program!,
      [
        ...words,
        '--conditions=kron-source',
        earlier === undefined
          ? script('./entry.ts')
          : `${earlier}/packages/krond/src/blackbox/entry.test-support.ts`,
        'start',
        ...['--config', `${this.directory}/jobs`, '--state-dir', this.stateDir],
        ...['--pid-file', `${this.directory}/pid`, '--log-format', logFormat],
        ...(earlier === undefined ? ['--runtime-dir', this.runtimeDir] : []),
        ...flags,
      ],
      {
        stdio: ['ignore', 'ignore', log],
        env: { ...CACHED, ...env, KRON_TEST: JSON.stringify({ clock, ...circumstances }) },
        ...(uid === undefined ? {} : { uid, gid: uid }),
      },
    )
    this.daemons.add(child)
    closeSync(log)
    const exit = new Promise<Exit>(resolve => {
      child.on('exit', (code, signal) => {
        this.daemons.delete(child)
        resolve({ code, signal })
      })
    })
    this.current = { child, exit }
  }

  get pid(): number {
    return this.current!.child.pid!
  }

  get exit(): Promise<Exit> {
    return this.current!.exit
  }

  signal(signal: NodeJS.Signals): void {
    this.current!.child.kill(signal)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.signal(signal)
    return this.exit
  }

  /** Runs until this many executions have begun, then stops the daemon, unless it ends by itself before. */
  async runUntil(executions: number): Promise<Exit> {
    await this.eventually(() => this.daemons.size === 0 || this.ran().length >= executions, 'executions')
    return this.daemons.size === 0 ? this.exit : this.stop()
  }

  /** Steps the daemon's clock. */
  step(milliseconds: number): void {
    writeFileSync(`${this.directory}/step`, String(milliseconds))
    this.current?.child.kill('SIGUSR2')
  }

  /** A log line that a daemon wrote or will write. */
  async until(wanted: (line: LogLine) => boolean, what: string, from = 0): Promise<LogLine> {
    return this.eventually(() => {
      const found = this.log.slice(from).find(wanted)
      if (found === undefined && this.daemons.size === 0)
        throw new Error(`no daemon is left to bring ${what}\n${this.transcript()}`)
      return found
    }, what)
  }

  /** Polls until there is an answer. */
  async eventually<T>(ask: () => T | undefined | false, what: string): Promise<T> {
    const end = Date.now() + PATIENCE
    for (;;) {
      const answer = ask()
      if (answer !== undefined && answer !== false) return answer
      if (Date.now() > end) throw new Error(`waited in vain for ${what}\n${this.transcript()}`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  events(event: string, name?: string): LogLine[] {
    return this.log.filter(
      line => line.event === event && (name === undefined || line.identity === this.identity(name)),
    )
  }

  state(name: string): Promise<State | undefined> {
    return durableState(this.stateDir, this.identity(name))
  }

  statePath(name: string): string {
    return `${this.stateDir}/${stateFileName(this.identity(name))}`
  }

  /** One of krond's other commands. */
  command(...words: readonly string[]): { readonly code: number | null; readonly output: string } {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=kron-source', script('../../../../krond/src/bin/krond.ts'), ...words, ...this.places],
      { encoding: 'utf8', env: CACHED },
    )
    return { code: status, output: stdout + stderr }
  }

  /** One of krontab's commands, as this user or another. */
  krontab(words: readonly string[], uid?: number): { code: number | null; out: string; err: string } {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--conditions=kron-source',
        script('../../../../krontab/src/bin/krontab.ts'),
        ...words,
        ...this.places,
      ],
      { encoding: 'utf8', env: CACHED, ...(uid === undefined ? {} : { uid, gid: uid }) },
    )
    return { code: status, out: stdout, err: stderr }
  }

  /** The same without blocking: for tests that answer requests meanwhile. */
  krontabMeanwhile(words: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
    const line = ['--conditions=kron-source', script('../../../../krontab/src/bin/krontab.ts'), ...words]
    return new Promise(resolve => {
      execFile(process.execPath, [...line, ...this.places], { env: CACHED }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      )
    })
  }

  /** A request to the API over the control socket; undefined if the daemon died before its answer. */
  async ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<ControlAnswer<T> | undefined> {
    const socket = controlSocketOf({ path: this.runtimeDir, sync: false })
    const request = { request: 'api', method, path, ...(body === undefined ? {} : { body }) } as const
    const answer = await askDaemon<T>([socket], request, PATIENCE)
    return answer === 'silent' || (answer !== undefined && 'error' in answer && answer.status === undefined)
      ? undefined
      : answer
  }

  /** Whether no daemon runs here. */
  get isDead(): boolean {
    return this.daemons.size === 0
  }

  private get places(): readonly string[] {
    return ['--state-dir', this.stateDir, '--runtime-dir', this.runtimeDir]
  }

  status(): Status {
    return JSON.parse(this.command('status', '--format', 'json').output) as Status
  }

  transcript(): string {
    return [...this.log.slice(-40).map(line => JSON.stringify(line)), this.stray.slice(-4_000)].join('\n')
  }

  /** Ends a leftover job; its PID may belong to another process by now. */
  private endJob(pid: number): void {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
      if (environment.includes(`KRON_IDENTITY=${this.directory}/`)) process.kill(-pid, 'SIGKILL')
    } catch {
      // The process has ended already.
    }
  }

  stateExists(): boolean {
    return existsSync(this.stateDir)
  }

  /** Lets another user run the daemon here. */
  giveTo(uid: number): void {
    for (const path of [this.directory, `${this.directory}/jobs`, this.jobFile, `${this.directory}/ran`])
      chownSync(path, uid, uid)
  }

  /** For tests with many hosts: removes everything before the end of the test. */
  discard(): void {
    this.cleanUp()
  }

  private cleanUp(): void {
    for (const child of this.daemons) child.kill('SIGKILL')
    for (const { pid, event } of this.log) if (event === 'started') this.endJob(Number(pid))
    this.beforeRemoval()
    rmSync(this.directory, { recursive: true, force: true })
  }
}
