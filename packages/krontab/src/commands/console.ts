import { readFileSync } from 'node:fs'
import { askDaemon } from '@kron/host'
import { printAnswer } from '../context/print.ts'
import { NOT_FOUND, Refusal } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { socketsOf } from '../daemon/ask.ts'
import { stateDirectoryOf } from '../daemon/state-directory.ts'
import type { CONSOLE } from '../program/daemon-commands.ts'

/** The part of krond's status that names its listener. */
interface ListenerStatus {
  readonly listener: { readonly address: string; readonly listening: boolean } | null
}

export const run: Run<typeof CONSOLE> = async (context, options) => {
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
  return printAnswer(context, options, { link }, () => [link])
}

/** Undefined if the user may not read it. */
function tokenIn(directory: string): string | undefined {
  try {
    return readFileSync(`${directory}/token`, 'utf8').trim()
  } catch {
    return undefined
  }
}
