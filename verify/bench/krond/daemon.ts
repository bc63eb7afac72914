import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** A job file has at most 64 MiB. */
const LINES_A_FILE = 200_000

/** krond on a directory of its own, and what the kernel tells of it. */
export class BenchDaemon {
  readonly directory = mkdtempSync(join(tmpdir(), 'kron-bench-'))
  private child: ChildProcess | undefined
  private readonly bin: string
  /** Milliseconds from the start of the process to the first armed timer. */
  readyAfter = 0

  /** `sources`: the built tree whose daemon this is. */
  constructor(jobs: string, sources = root) {
    this.bin = join(sources, 'packages/krond/bin/krond.cjs')
    mkdirSync(join(this.directory, 'jobs'))
    const lines = jobs.split('\n')
    for (let at = 0; at < lines.length; at += LINES_A_FILE) {
      const text = `${lines.slice(at, at + LINES_A_FILE).join('\n')}\n`
      writeFileSync(join(this.directory, 'jobs', `from-${at}.kron`), text)
    }
  }

  async start(): Promise<void> {
    const began = performance.now()
    const log = openSync(join(this.directory, 'log'), 'w')
    const at = (name: string): string => join(this.directory, name)
    this.child = spawn(
      process.execPath,
      [
        this.bin,
        'start',
        '--config',
        at('jobs'),
        '--state-dir',
        at('state'),
        '--pid-file',
        at('pid'),
        '--log-format',
        'json',
      ],
      { stdio: ['ignore', 'ignore', log] },
    )
    closeSync(log)
    await this.logged('started_daemon')
    this.readyAfter = performance.now() - began
  }

  /** Waits until the log holds the event this often. */
  async logged(event: string, times = 1): Promise<void> {
    while (this.count(event) < times) {
      if (this.child?.exitCode != null)
        throw new Error(`krond exited with ${this.child.exitCode}\n${this.text()}`)
      await pause(event === 'finished' ? 100 : 5)
    }
  }

  private count(event: string): number {
    return this.text().split(`"event":"${event}"`).length - 1
  }

  async reload(): Promise<number> {
    const before = this.count('reload')
    const began = performance.now()
    this.child!.kill('SIGHUP')
    await this.logged('reload', before + 1)
    return performance.now() - began
  }

  get residentMegabytes(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(this.proc('status'))![1]) / 1_024
  }

  /** Milliseconds of processor time so far. */
  get processorTime(): number {
    const fields = this.proc('stat').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }

  /** How often its threads have gone to sleep and been woken. */
  get wakeUps(): number {
    return readdirSync(`/proc/${this.child!.pid}/task`)
      .map(task => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(this.proc(`task/${task}/status`))![1]))
      .reduce((sum, each) => sum + each, 0)
  }

  async stop(): Promise<void> {
    const gone = new Promise(resolve => this.child!.on('exit', resolve))
    this.child!.kill('SIGTERM')
    await gone
    this.child = undefined
  }

  discard(): void {
    this.child?.kill('SIGKILL')
    rmSync(this.directory, { recursive: true })
  }

  private text(): string {
    return readFileSync(join(this.directory, 'log'), 'utf8')
  }

  private proc(file: string): string {
    return readFileSync(`/proc/${this.child!.pid}/${file}`, 'latin1')
  }
}
