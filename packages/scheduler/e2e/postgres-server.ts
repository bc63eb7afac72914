import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const NOBODY = 65534
const PATIENCE = 60_000

/** PostgreSQL refuses to run as root. */
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** A dedicated, real PostgreSQL server on a free port of this machine. */
export class PostgresServer {
  readonly port: number
  readonly #binaries: string
  readonly #directory: string
  readonly #detached: boolean
  #process: ChildProcess | undefined

  private constructor(binaries: string, directory: string, port: number, detached: boolean) {
    this.#binaries = binaries
    this.#directory = directory
    this.port = port
    this.#detached = detached
  }

  /**
   * `KRON_POSTGRES` is the directory with the server's programs, set by `npm run verify -- postgres`. A detached server
   * gets no signal when its creator is interrupted. The creator has to stop it.
   */
  static async create({ detached = false } = {}): Promise<PostgresServer> {
    const binaries = process.env['KRON_POSTGRES']
    if (binaries === undefined) throw new Error('run this with npm run verify -- postgres')
    const directory = mkdtempSync(join(tmpdir(), 'kron-postgres-'))
    chmodSync(directory, 0o700)
    mkdirSync(join(directory, 'data'), 0o700)
    for (const each of [directory, join(directory, 'data')])
      chownSync(each, identity.uid ?? -1, identity.gid ?? -1)
    const options = [
      '--pgdata',
      join(directory, 'data'),
      '--username=kron',
      '--auth=trust',
      '--no-sync',
      '--encoding=UTF8',
    ]
    execFileSync(join(binaries, 'initdb'), [...options, '--locale=C'], {
      ...identity,
      cwd: directory,
      stdio: 'pipe',
    })
    const server = new PostgresServer(binaries, directory, await freePort(), detached)
    await server.start()
    return server
  }

  get url(): string {
    return this.urlAt(this.port)
  }

  urlAt(port: number): string {
    return `postgres://kron@127.0.0.1:${port}/postgres`
  }

  async start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#directory}`,
      'shared_buffers=16MB',
      'fsync=off',
    ]
    const args = [
      '-D',
      join(this.#directory, 'data'),
      '-p',
      String(this.port),
      ...settings.flatMap(each => ['-c', each]),
    ]
    const log = openSync(this.#log, 'a')
    const server = spawn(join(this.#binaries, 'postgres'), args, {
      ...identity,
      cwd: this.#directory,
      stdio: ['ignore', log, log],
      detached: this.#detached,
    })
    closeSync(log)
    this.#process = server
    for (const end = Date.now() + PATIENCE; isRunning(server) && Date.now() < end; ) {
      try {
        await this.query('SELECT 1')
        return
      } catch {
        await sleep(50)
      }
    }
    throw new Error(`the PostgreSQL server does not answer; it said:\n${this.#lastWords()}`)
  }

  assertRunning(): void {
    if (this.#process !== undefined && isRunning(this.#process)) return
    throw new Error(`the PostgreSQL server ended by itself; it said:\n${this.#lastWords()}`)
  }

  /** Stops the server at once. Sessions are cut, and the next start has to recover. */
  async stop(signal: 'SIGQUIT' | 'SIGINT' = 'SIGINT'): Promise<void> {
    const process = this.#process
    this.#process = undefined
    if (process === undefined || !isRunning(process)) return
    const exit = once(process, 'exit')
    process.kill(signal)
    await exit
  }

  async query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }

  async destroy(): Promise<void> {
    await this.stop()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  get #log(): string {
    return join(this.#directory, 'log')
  }

  #lastWords(): string {
    return readFileSync(this.#log, 'utf8').trimEnd().split('\n').slice(-10).join('\n')
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

/** A port below the system's ephemeral range, so that no outgoing connection can take it while the server is down. */
async function freePort(): Promise<number> {
  const handedOut = lowestHandedOut()
  for (;;) {
    const port = randomInt(Math.max(1_024, handedOut - 10_000), handedOut)
    const server = createServer().listen(port, '127.0.0.1')
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!free) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

function lowestHandedOut(): number {
  const file = '/proc/sys/net/ipv4/ip_local_port_range'
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 32_768
}
