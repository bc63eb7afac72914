import { resolve } from 'node:path'
import { askDaemon, type ControlCommand, controlSocketOf, runtimePlaces, stateDirectory } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { BAD_INPUT, NOT_FOUND, Refusal } from '../context/refusal.ts'
import { daemonRuntimeDirectory, daemonStateDirectory } from './places.ts'

/** The daemon that a command talks to. */
export interface DaemonOptions {
  readonly 'state-dir': string | undefined
  readonly 'runtime-dir': string | undefined
}

/** No daemon answers here. */
export class NoDaemon extends Refusal {}

const SYSTEM_SOCKET = '/run/krond/control.sock'
const PATIENCE_MS = 10_000

/** The sockets on which the daemon may listen; the user's own come before the system's. */
export function socketsOf(context: CommandContext, options: DaemonOptions): readonly string[] {
  const runtimeDir = options['runtime-dir'] ?? daemonRuntimeDirectory(context)
  if (runtimeDir !== undefined)
    return [controlSocketOf({ path: resolve(context.cwd, runtimeDir), sync: false })]
  const stateDir = resolve(context.cwd, options['state-dir'] ?? daemonStateDirectory(context))
  const sockets = runtimePlaces(context, stateDir, stateDirectory(context)).map(controlSocketOf)
  return options['state-dir'] === undefined && context.uid !== 0 ? [...sockets, SYSTEM_SOCKET] : sockets
}

/** The answer of the API to a GET, or to a POST if there is a body. A refusal ends the command with its reason. */
export function askApi<T>(
  context: CommandContext,
  options: DaemonOptions,
  path: string,
  body?: object,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const call = body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body }
  return askControl(context, options, { request: 'api', path, ...call }, patienceMs)
}

/** The same for any request of the control socket. */
export async function askControl<T>(
  context: CommandContext,
  options: DaemonOptions,
  command: ControlCommand,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const answer = await askDaemon<T>(
    socketsOf(context, options),
    command,
    patienceMs,
    // A job that the user's own daemon does not have may belong to the system's daemon.
    each => 'ok' in each || each.status !== 404,
  )
  if (answer === undefined)
    throw new NoDaemon(
      NOT_FOUND,
      'krond is not running, or does not answer here',
      'start it with krond start; --state-dir or --runtime-dir names another',
    )
  if (answer === 'silent')
    throw new Refusal(NOT_FOUND, 'krond does not answer', 'it is very busy, or stopped: see krond status')
  if ('ok' in answer) return answer.ok
  throw new Refusal(answer.status === 400 ? BAD_INPUT : NOT_FOUND, answer.error, answer.hint)
}

/** The path of a job in the API; its name alone is enough if it is unique. */
export const jobPath = (job: string, rest = ''): string => `/api/v1/jobs/${encodeURIComponent(job)}${rest}`
