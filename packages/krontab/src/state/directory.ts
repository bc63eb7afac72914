import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { stateDirectory } from '../format/directories.ts'
import type { Host } from '../host.ts'
import { NOT_FOUND, Refusal } from '../refusal.ts'

export interface StateOptions {
  readonly 'state-dir': string | undefined
}

export const stateDirectoryOf = (host: Host, options: StateOptions): string =>
  resolve(host.cwd, options['state-dir'] ?? stateDirectory(host))

/** The directory, which must exist. */
export function existingStateDirectory(host: Host, options: StateOptions): string {
  const directory = stateDirectoryOf(host, options)
  if (existsSync(directory)) return directory
  throw new Refusal(
    NOT_FOUND,
    `there is no state directory ${directory}`,
    'has krond ever run? --state-dir names another',
  )
}
