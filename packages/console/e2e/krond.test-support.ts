import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A real krond on real job files in a directory of its own. */
export class Krond {
  readonly directory: string
  url = ''
  private process: ChildProcess | undefined
  private listen = '127.0.0.1:0'
  private readonly options: readonly string[]

  constructor(
    lines: readonly string[],
    options: readonly string[] = [],
    directory = mkdtempSync(join(tmpdir(), 'kron-console-')),
  ) {
    this.directory = directory
    mkdirSync(join(this.directory, 'jobs'), { recursive: true })
    mkdirSync(join(this.directory, 'state'), { mode: 0o700 })
    this.write(lines)
    this.options = options
  }

  write(lines: readonly string[], file = 'test.kron'): void {
    writeFileSync(this.pathOf(file), `${lines.join('\n')}\n`, { mode: 0o644 })
  }

  pathOf(file: string): string {
    return join(this.directory, 'jobs', file)
  }

  get jobFile(): string {
    return this.pathOf('test.kron')
  }

  get stateDir(): string {
    return join(this.directory, 'state')
  }

  /** Resolves when it is ready; a second start takes the same address again. */
  async start(): Promise<void> {
    const child = spawn(
      process.execPath,
      [
        '--conditions=kron-source',
        `${root}packages/krond/src/bin/krond.ts`,
        'start',
        ...['--config', join(this.directory, 'jobs'), '--state-dir', this.stateDir],
        ...['--pid-file', join(this.directory, 'pid'), '--log-format', 'json', '--listen', this.listen],
        ...this.options,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.process = child
    await new Promise<void>((resolve, reject) => {
      let log = ''
      child.stderr!.on('data', chunk => {
        log += chunk
        const address = /"event":"listening","address":"([^"]+)"/.exec(log)?.[1]
        if (address !== undefined) this.url = address
        if (log.includes('"event":"started_daemon"')) resolve()
      })
      child.on('exit', code => reject(new Error(`krond ended with ${code}:\n${log}`)))
    })
    this.listen = new URL(this.url).host
  }

  reload(): void {
    this.process?.kill('SIGHUP')
  }

  /** Twice: running jobs are not waited for. */
  async stop(): Promise<void> {
    const child = this.process
    if (child === undefined || child.exitCode !== null) return
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    const again = setInterval(() => child.kill('SIGTERM'), 300)
    await gone
    clearInterval(again)
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.directory, { recursive: true, force: true })
  }

  async get<T>(path: string): Promise<T> {
    return (await (await fetch(`${this.url}api/v1/${path}`)).json()) as T
  }
}

/** Jobs of which one starts nearly every second. */
export const busyLines = (count: number, command = '/bin/true'): string[] =>
  Array.from(
    { length: count },
    (_, i) =>
      `* * * * * @win(after,59s) @policy(deadline=50s) name=busy-${String(i).padStart(5, '0')} command="${command}"`,
  )
