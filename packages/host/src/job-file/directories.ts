import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A user, for whom directories are chosen; root has the system's directories. */
export interface Account {
  readonly uid: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The directory in which krond looks for job files. */
export const configDirectory = (account: Account): string =>
  account.uid === 0 ? '/etc/krond.d' : userDirectory(account, 'XDG_CONFIG_HOME', '.config')

/** The directory in which krond keeps its state. */
export const stateDirectory = (account: Account): string =>
  account.uid === 0 ? '/var/lib/krond' : userDirectory(account, 'XDG_STATE_HOME', '.local/state')

function userDirectory({ env }: Account, variable: string, fallback: string): string {
  const base = env[variable]
  // The XDG rules: a relative path counts as not set.
  return join(base?.startsWith('/') ? base : join(env['HOME'] ?? '/', fallback), 'krond')
}

/** The job files of a directory, sorted by the bytes of their names; hidden files of editors are skipped. */
export function listJobFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter(name => name.endsWith('.kron') && !name.startsWith('.'))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(name => join(directory, name))
}

/** The path of krond's PID file. */
export const pidFile = (account: Account): string =>
  account.uid === 0
    ? '/run/krond.pid'
    : join(account.env['XDG_RUNTIME_DIR'] || stateDirectory(account), 'krond.pid')
