import { randomUUID } from 'node:crypto'
import { isKronError, printInstant } from '@kron/core'
import {
  type Entry,
  hostAccounts,
  RunAs,
  type RunSpec,
  runInForeground,
  runSpecOf,
  StartRefusedError,
} from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { exitStatus } from '../context/exit-status.ts'
import { Refusal } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { stateDirectoryOf } from '../daemon/state-directory.ts'
import { daemonSurroundings } from '../daemon/surroundings.ts'
import { loadEntries, trustOf } from '../job-files/load.ts'
import { selectEntry } from '../job-files/select.ts'
import type { RUN } from '../program/edit-commands.ts'

/** Exit codes outside the child's own, as in env(1) and timeout(1). */
const REFUSED = 125
const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

export const run: Run<typeof RUN> = async (context, options, [job = '']) => {
  const trust = trustOf(context, options['follow-symlinks'])
  const entries = refusing(() => loadEntries(context, options, trust))
  const entry = selectEntry(entries, job, REFUSED)
  const spec = specOf(context, entry, stateDirectoryOf(context, options))
  try {
    const end = await runInForeground(spec)
    if (end?.why === 'timeout') context.err('krontab: the job ran into its timeout and was ended\n')
    return exitStatus(end)
  } catch (error) {
    if (!isKronError(error)) throw error
    const isMissing = error instanceof StartRefusedError && error.stage === 'exec' && error.code === 'ENOENT'
    throw new Refusal(isMissing ? NOT_FOUND : NOT_EXECUTABLE, error.message, error.hint)
  }
}

/** Whatever prevents the run before it starts ends the command with the same code. */
function refusing<T>(preparing: () => T): T {
  try {
    return preparing()
  } catch (error) {
    if (error instanceof Refusal || isKronError(error)) throw new Refusal(REFUSED, error.message, error.hint)
    throw error
  }
}

/** The run that krond would launch; the running krond supplies the values that the entry omits. */
function specOf(context: CommandContext, entry: Entry, stateDir: string): RunSpec {
  const around = daemonSurroundings(stateDir, context.uid)
  const { inheritEnv, user } = entry.settings
  if (around === undefined && (inheritEnv ?? user === null)) {
    context.err(
      "krontab: krond is not running or out of reach: this shell's environment stands in for its own\n",
    )
  }
  const time = printInstant(context.now())
  const occasion = { executionId: randomUUID(), nominalTime: time, chosenTime: time }
  const account = refusing(() => new RunAs(hostAccounts(), context.uid === 0).of(entry))
  const spec = runSpecOf(entry, occasion, around?.env ?? context.env, account)
  return {
    ...spec,
    ...(spec.cwd === undefined && around?.cwd !== undefined ? { cwd: around.cwd } : {}),
    ...(spec.umask === undefined && around?.umask !== undefined ? { umask: around.umask } : {}),
  }
}
