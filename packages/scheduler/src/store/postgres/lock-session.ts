import { clearTimeout, setTimeout } from 'node:timers'
import { SerialQueue } from '@kron/runtime'
import type { Change } from '../store.ts'
import type { Connect, Connection } from './client.ts'
import { columnText, type Sql, sessionTimeouts, sqlFor, VERSION } from './sql.ts'

/** The location of the store that a session uses. */
export interface StorePlace {
  readonly name: string
  readonly schema: string | undefined
  /** The longest silence allowed from the server or this instance, in milliseconds. */
  readonly timeoutMs: number
}

/** The largest number of rows in one statement. */
const LARGEST_STATEMENT = 20_000

/** One session on the server. Only the session that holds the lock may write. */
export class LockSession {
  readonly #connection: Connection
  readonly #name: string
  readonly #timeoutMs: number
  readonly #sql: Sql
  #ended: Error | undefined
  #closed = false
  readonly #queries = new SerialQueue()
  #pid: unknown

  private constructor(connection: Connection, { name, schema, timeoutMs }: StorePlace) {
    this.#connection = connection
    this.#name = name
    this.#timeoutMs = timeoutMs
    this.#sql = sqlFor(schema)
    const onEnd = (error?: Error) => {
      this.#ended ??= error ?? new Error('the server has ended the session')
    }
    connection.client.on('error', onEnd)
    connection.client.on('end', onEnd)
  }

  static async open(connect: Connect, place: StorePlace): Promise<LockSession> {
    const session = new LockSession(await connect(), place)
    try {
      await session.#query(sessionTimeouts(place.timeoutMs))
    } catch (error) {
      session.close()
      throw error
    }
    return session
  }

  get ended(): boolean {
    return this.#ended !== undefined
  }

  /** The server's process ID of this session. */
  get pid(): unknown {
    return this.#pid
  }

  close(): void {
    this.#ended ??= new Error('the session is closed')
    if (!this.#closed) this.#connection.close()
    this.#closed = true
  }

  async tryLock(): Promise<boolean> {
    const [row] = await this.#query(this.#sql.tryLock, [this.#name])
    this.#pid = row?.['pid']
    return row?.['locked'] === true
  }

  async createTables(): Promise<void> {
    await this.#query(this.#sql.createTables)
  }

  /** The number of times the lock has been taken, which identifies its last holder. Undefined before the first time. */
  async epoch(): Promise<string | undefined> {
    const [row] = await this.#query(this.#sql.readEpoch, [this.#name])
    if (row === undefined) return undefined
    if (row['version'] !== VERSION) {
      const version = String(row['version'])
      throw new Error(`the tables have version ${version}, and this version of Kron knows ${VERSION}`)
    }
    return String(row['epoch'])
  }

  async nextEpoch(): Promise<string> {
    const [row] = await this.#query(this.#sql.nextEpoch, [this.#name])
    return String(row?.['epoch'])
  }

  async records(): Promise<readonly unknown[]> {
    const { rows } = await this.#connection.client.query(this.#sql.readRecords, [this.#name])
    return rows.map(row => row['record'])
  }

  async endGhost(pid: unknown): Promise<void> {
    await this.#query(this.#sql.endGhost, [this.#name, pid])
  }

  async beat(): Promise<void> {
    await this.#query('SELECT 1')
  }

  /** Commits atomically, and only while the session lives. */
  async commit(change: Change): Promise<void> {
    const statements = [...this.#statements(change)]
    if (statements.length > 1) await this.#query('BEGIN')
    for (const [text, values] of statements) await this.#query(text, values)
    if (statements.length > 1) await this.#query('COMMIT')
  }

  *#statements({ put, remove }: Change): Generator<[text: string, values: unknown[]]> {
    if (remove.length > 0) yield [this.#sql.removeRecords, [this.#name, remove.map(columnText)]]
    for (let from = 0; from < put.length; from += LARGEST_STATEMENT) {
      const some = put.slice(from, from + LARGEST_STATEMENT)
      const names = some.map(record => columnText(record.name))
      yield [this.#sql.putRecords, [this.#name, names, some.map(record => JSON.stringify(record))]]
    }
  }

  /** Runs queries one at a time. A query without an answer in time ends the session, because its effect is unknown. */
  #query(text: string, values?: unknown[]): Promise<readonly Record<string, unknown>[]> {
    return this.#queries.run(() => this.#ask(text, values))
  }

  async #ask(text: string, values?: unknown[]): Promise<readonly Record<string, unknown>[]> {
    if (this.#ended !== undefined) throw this.#ended
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${this.#timeoutMs} ms`)), this.#timeoutMs)
    })
    try {
      return (await Promise.race([this.#connection.client.query(text, values), timeout])).rows ?? []
    } catch (error) {
      this.#ended = error as Error
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}
