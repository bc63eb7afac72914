import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A real krond on real job files in a directory of its own. */
export class Krond {
  readonly directory: string
  url = ''
  /** Told of every line of its log. */
  onEvent: (event: Readonly<Record<string, unknown>>) => void = () => {}
  #process: ChildProcess | undefined
  #listen = ''
  readonly #options: readonly string[]

  constructor(
    lines: readonly string[],
    options: readonly string[] = [],
    directory = mkdtempSync(join(tmpdir(), 'kron-console-')),
  ) {
    this.directory = directory
    mkdirSync(join(this.directory, 'jobs'), { recursive: true })
    mkdirSync(join(this.directory, 'state'), { mode: 0o700 })
    this.write(lines)
    this.#options = options
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

  /** krond makes it at its first start. */
  get token(): string {
    return readFileSync(join(this.stateDir, 'token'), 'utf8').trim()
  }

  /** Resolves when it is ready; a second start takes the same address again. */
  async start(): Promise<void> {
    this.#listen ||= `127.0.0.1:${await freePort()}`
    const child = spawn(
      process.execPath,
      [
        '--conditions=kron-source',
        `${root}packages/krond/src/bin/krond.ts`,
        'start',
        ...['--config', join(this.directory, 'jobs'), '--state-dir', this.stateDir],
        ...['--pid-file', join(this.directory, 'pid'), '--log-format', 'json', '--listen', this.#listen],
        ...this.#options,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#process = child
    const log: string[] = []
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stderr! }).on('line', line => {
        if (!line.startsWith('{')) return void log.push(line)
        const event = JSON.parse(line) as Readonly<Record<string, unknown>>
        if (event['event'] === 'listening') this.url = String(event['address'])
        else if (event['event'] === 'started_daemon') resolve()
        this.onEvent(event)
      })
      child.on('exit', code => reject(new Error(`krond ended with ${code}:\n${log.join('\n')}`)))
    })
  }

  /** The output of krontab for this krond. */
  krontab(...words: readonly string[]): string {
    const program = [`${root}packages/krontab/src/bin/krontab.ts`, ...words, '--state-dir', this.stateDir]
    return execFileSync(process.execPath, ['--conditions=kron-source', ...program], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  }

  reload(): void {
    this.#process?.kill('SIGHUP')
  }

  /** Twice: running jobs are not waited for. */
  async stop(): Promise<void> {
    const child = this.#process
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

/** A port that no outgoing connection can take while its daemon is away: one below those the system hands out. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + randomInt(10_000)
    const server = createServer()
    const free = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}

/** Jobs of which one starts nearly every second. */
export const busyLines = (count: number, command = '/bin/true'): string[] =>
  Array.from(
    { length: count },
    (_, i) =>
      `* * * * * @win(after,59s) @policy(deadline=50s) name=busy-${String(i).padStart(5, '0')} command="${command}"`,
  )
