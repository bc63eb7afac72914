import { loadPeer } from '../../load-peer.ts'

/** The part of a SQLite database that the store uses. `node:sqlite` and `better-sqlite3` have it. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

export interface Statement {
  run(...values: (string | number)[]): unknown
  all(): unknown[]
  iterate?(): Iterable<unknown>
}

export type OpenDatabase = (path: string) => Database

/** Node's own SQLite if it exists, otherwise the package `better-sqlite3`. */
export async function findDriver(): Promise<OpenDatabase> {
  const own = ownSqlite()
  if (own !== undefined) return path => new own.DatabaseSync(path)
  const found = (await loadPeer(
    'better-sqlite3',
    'without node:sqlite, which Node has since 22.13, the SQLite store',
  )) as {
    readonly default: new (path: string) => Database
  }
  return path => new found.default(path)
}

interface OwnSqlite {
  readonly DatabaseSync: new (path: string) => Database
}

function ownSqlite(): OwnSqlite | undefined {
  // An import would fail in a bundler, or in a Node without the module.
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown }
  try {
    return getBuiltinModule?.('node:sqlite') as OwnSqlite | undefined
  } catch {
    return undefined
  }
}
