import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type State,
  StateReadError,
  type States,
  readStateOf as stateIn,
  readStates as statesIn,
} from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { badInput, NOT_FOUND, Refusal } from '../context/refusal.ts'
import { daemonStateDirectory } from './places.ts'

export interface StateOptions {
  readonly 'state-dir': string | undefined
}

export const stateDirectoryOf = (context: CommandContext, options: StateOptions): string =>
  resolve(context.cwd, options['state-dir'] ?? daemonStateDirectory(context))

/** The directory, which must exist; `code` is the exit code if it does not. */
export function existingStateDirectory(
  context: CommandContext,
  options: StateOptions,
  code = NOT_FOUND,
): string {
  const directory = stateDirectoryOf(context, options)
  if (existsSync(directory)) return directory
  throw new Refusal(
    code,
    `there is no state directory ${directory}`,
    'has krond ever run? --state-dir names another',
  )
}

export const readStates = (directory: string, now: number): Promise<States> =>
  refusing(statesIn(directory, now))

export const readStateOf = (directory: string, identity: string, now: number): Promise<State | undefined> =>
  refusing(stateIn(directory, identity, now))

/** An unreadable state ends the command with a message, not with a stack trace. */
async function refusing<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof StateReadError)) throw error
    throw badInput(error.message, hintFor(error.cause as NodeJS.ErrnoException | undefined))
  }
}

function hintFor(cause: NodeJS.ErrnoException | undefined): string | undefined {
  if (cause === undefined) return undefined
  return cause.code === 'EACCES' ? "run it as krond's user" : 'name the directory with --state-dir'
}
