import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { isKronError, printInstant } from '@kron/core'
import type { LaunchError, LaunchSpec } from '@kron/runtime'
import type { Given } from '@kron/runtime/cli'
import { pidFile } from '../format/directories.ts'
import type { Entry } from '../format/entry.ts'
import { type Identity, launchSpecOf } from '../format/launch.ts'
import { RunAs } from '../format/run-as.ts'
import type { Host } from '../host.ts'
import { loadEntries, trustOf } from '../load.ts'
import type { RUN } from '../program/change.ts'
import { Refusal } from '../refusal.ts'
import { daemonSurroundings } from '../run/daemon.ts'
import { execute, exitStatus } from '../run/execute.ts'
import { selectEntry } from '../select.ts'

/** Beyond the child's own codes, as env(1) and timeout(1) have them. */
const REFUSED = 125
const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

export async function run(
  host: Host,
  options: Given<typeof RUN.options>,
  [job = '']: readonly string[],
): Promise<number> {
  const entry = selectEntry(loadOrRefuse(host, options), job, REFUSED)
  const spec = await specOf(host, entry, resolve(host.cwd, options['pid-file'] ?? pidFile(host)))
  try {
    return exitStatus(await execute(host, spec, entry.settings))
  } catch (error) {
    if (!isKronError(error)) throw error
    const { code } = error as LaunchError
    throw new Refusal(code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE, error.message, error.hint)
  }
}

function loadOrRefuse(host: Host, options: Given<typeof RUN.options>): Entry[] {
  try {
    return loadEntries(host, options, trustOf(host, options['follow-symlinks']))
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(REFUSED, error.message, error.hint)
    throw error
  }
}

/** What krond would launch; where the entry is silent, what the running krond has is taken over. */
async function specOf(host: Host, entry: Entry, daemon: string): Promise<LaunchSpec> {
  const around = daemonSurroundings(daemon)
  if (around === undefined && entry.settings.inheritEnv) {
    host.err(
      "krontab: krond is not running or out of reach: this shell's environment stands in for its own\n",
    )
  }
  const time = printInstant(host.now())
  const occasion = { executionId: randomUUID(), nominalTime: time, chosenTime: time }
  const spec = launchSpecOf(entry, occasion, around?.env ?? host.env, await runAs(host, entry))
  return {
    ...spec,
    ...(spec.cwd === undefined && around?.cwd !== undefined ? { cwd: around.cwd } : {}),
    ...(spec.umask === undefined && around?.umask !== undefined ? { umask: around.umask } : {}),
  }
}

async function runAs(host: Host, entry: Entry): Promise<Identity | undefined> {
  const { hostAccounts } = await import('@kron/runtime')
  try {
    return new RunAs(hostAccounts(), host.uid === 0).of(entry)
  } catch (error) {
    if (isKronError(error)) throw new Refusal(REFUSED, error.message, error.hint)
    throw error
  }
}
