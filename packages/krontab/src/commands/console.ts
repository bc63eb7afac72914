import { readFileSync } from 'node:fs'
import type { Given } from '@kron/cli'
import { askDaemon } from '@kron/host'
import { socketsOf } from '../daemon.ts'
import type { Host } from '../host.ts'
import { printJson } from '../print.ts'
import type { CONSOLE } from '../program/act.ts'
import { NOT_FOUND, OK, Refusal } from '../refusal.ts'
import { stateDirectoryOf } from '../state-directory.ts'

/** The part of krond's status that names its listener. */
interface ListenerStatus {
  readonly listener: { readonly address: string; readonly listening: boolean } | null
}

export async function run(host: Host, options: Given<typeof CONSOLE.options>): Promise<number> {
  const answer = await askDaemon<ListenerStatus>(socketsOf(host, options), { request: 'status' })
  if (answer === undefined || answer === 'silent' || !('ok' in answer))
    throw new Refusal(NOT_FOUND, 'krond is not running, or does not answer here', 'start it with krond start')
  const { listener } = answer.ok
  if (listener === null)
    throw new Refusal(NOT_FOUND, 'krond serves no console', 'start it with --listen 127.0.0.1:9723')
  if (!listener.listening)
    throw new Refusal(NOT_FOUND, `krond cannot listen at ${listener.address} yet`, 'krond status says why')
  const token = tokenIn(stateDirectoryOf(host, options))
  const link = `${listener.address}${token === undefined ? '' : `#token=${token}`}`
  if (options.format === 'json') printJson(host, { link })
  else host.out(`${link}\n`)
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
