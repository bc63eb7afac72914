import { readFileSync } from 'node:fs'
import type { Given } from '@kron/cli'
import { askDaemon } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { printJson } from '../context/print.ts'
import { NOT_FOUND, OK, Refusal } from '../context/refusal.ts'
import { socketsOf } from '../daemon/ask.ts'
import { stateDirectoryOf } from '../daemon/state-directory.ts'
import type { CONSOLE } from '../program/daemon-commands.ts'

/** The part of krond's status that names its listener. */
interface ListenerStatus {
  readonly listener: { readonly address: string; readonly listening: boolean } | null
}

export async function run(context: CommandContext, options: Given<typeof CONSOLE.options>): Promise<number> {
  const answer = await askDaemon<ListenerStatus>(socketsOf(context, options), { request: 'status' })
  if (answer === undefined || answer === 'silent' || !('ok' in answer))
    throw new Refusal(NOT_FOUND, 'krond is not running, or does not answer here', 'start it with krond start')
  const { listener } = answer.ok
  if (listener === null)
    throw new Refusal(NOT_FOUND, 'krond serves no console', 'start it with --listen 127.0.0.1:9723')
  if (!listener.listening)
    throw new Refusal(NOT_FOUND, `krond cannot listen at ${listener.address} yet`, 'krond status says why')
  const token = tokenIn(stateDirectoryOf(context, options))
  const link = `${listener.address}${token === undefined ? '' : `#token=${token}`}`
  if (options.format === 'json') printJson(context, { link })
  else context.out(`${link}\n`)
  return OK
}

/** Undefined if the user may not read it. */
function tokenIn(directory: string): string | undefined {
  try {
    return readFileSync(`${directory}/token`, 'utf8').trim()
  } catch {
    return undefined
  }
}
