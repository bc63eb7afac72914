import { loadPeer } from '../../load-peer.ts'

/** The part of a `pg` client that the store uses. All versions from 8.11 on have it. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown
}

interface PooledClient extends PostgresClient {
  /** With `true`, closes the connection instead of returning it to the pool. */
  release(destroy?: boolean): void
}

interface OwnClient extends PostgresClient {
  connect(): Promise<unknown>
  end(): Promise<void>
}

/** A `pg.Pool`. */
export interface PostgresPool {
  connect(): Promise<PooledClient>
}

/** An exclusive connection. Closing it ends its session on the server. */
export interface Connection {
  readonly client: PostgresClient
  close(): void
}

export type Connect = () => Promise<Connection>

export const connectByPool =
  (pool: PostgresPool): Connect =>
  async () => {
    const client = await pool.connect()
    return { client, close: () => client.release(true) }
  }

export const connectByString =
  (connectionString: string): Connect =>
  async () => {
    const client = await newClient(connectionString)
    await client.connect()
    return { client, close: () => void client.end().catch(() => {}) }
  }

async function newClient(connectionString: string): Promise<OwnClient> {
  const purpose = 'postgresStore with a connectionString instead of a pool'
  const { default: pg } = (await loadPeer('pg', purpose)) as typeof import('pg') & {
    default: typeof import('pg')
  }
  const connectionTimeoutMillis = 10_000
  return new pg.Client({
    connectionString,
    connectionTimeoutMillis,
    keepAlive: true,
    application_name: 'kron',
  })
}
