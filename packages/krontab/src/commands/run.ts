import { randomUUID } from 'node:crypto'
import type { Given } from '@kron/cli'
import { isKronError, printInstant } from '@kron/core'
import {
  type Entry,
  hostAccounts,
  type Identity,
  RunAs,
  type RunSpec,
  runInForeground,
  runSpecOf,
  StartRefusedError,
} from '@kron/host'
import type { Host } from '../host.ts'
import { loadEntries, trustOf } from '../load.ts'
import type { RUN } from '../program/change.ts'
import { Refusal } from '../refusal.ts'
import { daemonSurroundings } from '../run/daemon.ts'
import { exitStatus } from '../run/exit-status.ts'
import { selectEntry } from '../select.ts'
import { stateDirectoryOf } from '../state-directory.ts'

/** Exit codes outside the child's own, as in env(1) and timeout(1). */
const REFUSED = 125
const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

export async function run(
  host: Host,
  options: Given<typeof RUN.options>,
  [job = '']: readonly string[],
): Promise<number> {
  const entry = selectEntry(loadOrRefuse(host, options), job, REFUSED)
  const spec = specOf(host, entry, stateDirectoryOf(host, options))
  try {
    const end = await runInForeground(spec)
    if (end?.why === 'timeout') host.err('krontab: the job ran into its timeout and was ended\n')
    return exitStatus(end)
  } catch (error) {
    if (!isKronError(error)) throw error
    const isMissing = error instanceof StartRefusedError && error.stage === 'exec' && error.code === 'ENOENT'
    throw new Refusal(isMissing ? NOT_FOUND : NOT_EXECUTABLE, error.message, error.hint)
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

/** The run that krond would launch; the running krond supplies the values that the entry omits. */
function specOf(host: Host, entry: Entry, stateDir: string): RunSpec {
  const around = daemonSurroundings(stateDir, host.uid)
  const { inheritEnv, user } = entry.settings
  if (around === undefined && (inheritEnv ?? user === null)) {
    host.err(
      "krontab: krond is not running or out of reach: this shell's environment stands in for its own\n",
    )
  }
  const time = printInstant(host.now())
  const occasion = { executionId: randomUUID(), nominalTime: time, chosenTime: time }
  const spec = runSpecOf(entry, occasion, around?.env ?? host.env, runAs(host, entry))
  return {
    ...spec,
    ...(spec.cwd === undefined && around?.cwd !== undefined ? { cwd: around.cwd } : {}),
    ...(spec.umask === undefined && around?.umask !== undefined ? { umask: around.umask } : {}),
  }
}

function runAs(host: Host, entry: Entry): Identity | undefined {
  try {
    return new RunAs(hostAccounts(), host.uid === 0).of(entry)
  } catch (error) {
    if (isKronError(error)) throw new Refusal(REFUSED, error.message, error.hint)
    throw error
  }
}
