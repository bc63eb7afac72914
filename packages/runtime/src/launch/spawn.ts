import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { errnoName, lastError, native, nativeAsync } from '../native/native.ts'
import { canCloseTheRest, giveBackFileActions, STRUCT_SIZE, takeFileActions } from './file-actions.ts'
import { Lanes } from './lanes.ts'

/** What a new process gets as one of its standard streams. */
export type Stream = number | 'null'

export interface SpawnPlan {
  readonly path: string
  readonly arguments: readonly string[]
  readonly environment: readonly string[]
  readonly cwd?: string
  readonly stdin: Stream
  readonly stdout: Stream
  readonly stderr: Stream
}

/** The pid, or why there is no process: the C library reports a failed exec as the spawn's own error. */
export type Spawned = { readonly pid: number } | { readonly error: string }

type StringVector = readonly (string | null)[]

const posixSpawn = nativeAsync<
  [pid: Buffer, path: string, actions: Buffer, attributes: Buffer, argv: StringVector, envp: StringVector],
  number
>(
  'int posix_spawn(void *pid, const char *path, void *actions, void *attributes, const char **argv, const char **envp)',
)
const initAttributes = native<[Buffer], number>('int posix_spawnattr_init(void *attributes)')
const setFlags = native<[Buffer, number], number>(
  'int posix_spawnattr_setflags(void *attributes, short flags)',
)
const setDefaultSignals = native<[Buffer, Buffer], number>(
  'int posix_spawnattr_setsigdefault(void *attributes, const void *set)',
)
const setSignalMask = native<[Buffer, Buffer], number>(
  'int posix_spawnattr_setsigmask(void *attributes, const void *set)',
)
const fcntl = native<[fd: number, command: number, type: 'int', value: number], number>(
  'int fcntl(int fd, int command, ...)',
)

const SETSIGDEF = 0x04
const SETSIGMASK = 0x08
const SETSID = 0x80
const SIGNAL_SET_SIZE = 128
const F_SETFD = 2
const FD_CLOEXEC = 1
const F_DUPFD_CLOEXEC = 1030

/** What is let follow is reaped within so many milliseconds. */
const REAPING = 100

const lanes = new Lanes()
let attributes: Buffer | undefined

/**
 * Starts a process in a session of its own, with default signals and nothing open but the standard streams.
 * The pages of this process are not copied and the event loop does not wait, so its size does not matter.
 */
export async function spawn(plan: SpawnPlan): Promise<Spawned> {
  const spawned = await lanes.take(() => spawnNow(plan))
  if (!('error' in spawned) || spawned.error !== 'EAGAIN') return spawned
  // Processes that have ended count, too, until they are reaped.
  lanes.putOffLess()
  await pause(REAPING)
  return lanes.take(() => spawnNow(plan))
}

/** For what follows a start: others that are due go first. */
export const afterOtherStarts = (): Promise<void> => lanes.lull()

async function spawnNow(plan: SpawnPlan): Promise<Spawned> {
  attributes ??= makeAttributes()
  const actions = takeFileActions(plan)
  try {
    const pid = Buffer.allocUnsafe(4)
    const argv = [...plan.arguments, null]
    const envp = [...plan.environment, null]
    const errno = await posixSpawn(pid, plan.path, actions, attributes, argv, envp)
    return errno === 0 ? { pid: pid.readInt32LE() } : { error: errnoName(errno) }
  } finally {
    giveBackFileActions(actions, plan)
  }
}

/** Another descriptor for the same open file, clear of the standard streams. */
export function duplicate(fd: number): number {
  const copy = fcntl(fd, F_DUPFD_CLOEXEC, 'int', 3)
  if (copy < 0) throw Object.assign(new Error(`descriptor ${fd} cannot be duplicated`), { code: lastError() })
  return copy
}

function makeAttributes(): Buffer {
  const made = Buffer.alloc(STRUCT_SIZE)
  initAttributes(made)
  setFlags(made, SETSID | SETSIGDEF | SETSIGMASK)
  setDefaultSignals(made, Buffer.alloc(SIGNAL_SET_SIZE, 0xff))
  setSignalMask(made, Buffer.alloc(SIGNAL_SET_SIZE))
  if (!canCloseTheRest()) closeInheritedOnExec()
  return made
}

/** Node opens everything close-on-exec, but may itself have been started with descriptors that are not. */
function closeInheritedOnExec(): void {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd > 2) fcntl(fd, F_SETFD, 'int', FD_CLOEXEC)
  }
}
