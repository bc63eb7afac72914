import { readdirSync } from 'node:fs'
import { errnoName, hasNative, lastError, native, nativeAsync } from '../native/native.ts'

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

const posixSpawn = nativeAsync<
  [pid: Buffer, path: string, actions: Buffer, attributes: Buffer, argv: StringVector, envp: StringVector],
  number
>(
  'int posix_spawn(void *pid, const char *path, void *actions, void *attributes, const char **argv, const char **envp)',
)
type StringVector = readonly (string | null)[]

const initActions = native<[Buffer], number>('int posix_spawn_file_actions_init(void *actions)')
const destroyActions = native<[Buffer], number>('int posix_spawn_file_actions_destroy(void *actions)')
const addDup2 = native<[Buffer, number, number], number>(
  'int posix_spawn_file_actions_adddup2(void *actions, int fd, int as)',
)
const addOpen = native<[Buffer, number, string, number, number], number>(
  'int posix_spawn_file_actions_addopen(void *actions, int fd, const char *path, int flags, unsigned int mode)',
)
const addChdir = native<[Buffer, string], number>(
  'int posix_spawn_file_actions_addchdir_np(void *actions, const char *path)',
)
const addCloseFrom = native<[Buffer, number], number>(
  'int posix_spawn_file_actions_addclosefrom_np(void *actions, int from)',
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
const O_WRONLY = 1
const F_SETFD = 2
const FD_CLOEXEC = 1
const F_DUPFD_CLOEXEC = 1030
// Larger than the opaque structures of any C library; a signal set is 128 bytes.
const STRUCT_SIZE = 1024

/** At most this many of the thread pool's four threads fork at a time: the disk needs the others. */
const LANES = 2
let busy = 0
const waiting: (() => void)[] = []

let attributes: Buffer | undefined

/** Older glibc cannot change the directory in the child. */
export const canChangeDirectory = (): boolean => hasNative('posix_spawn_file_actions_addchdir_np')

/**
 * Starts a process in a session of its own, with default signals and nothing open but the standard streams.
 * The pages of this process are not copied and the event loop does not wait, so its size does not matter.
 */
export async function spawn(plan: SpawnPlan): Promise<Spawned> {
  attributes ??= makeAttributes()
  if (busy < LANES) busy++
  else await new Promise<void>(resolve => waiting.push(resolve))
  const actions = takeActions(plan)
  try {
    const pid = Buffer.allocUnsafe(4)
    const argv = [...plan.arguments, null]
    const envp = [...plan.environment, null]
    const errno = await posixSpawn(pid, plan.path, actions, attributes, argv, envp)
    return errno === 0 ? { pid: pid.readInt32LE() } : { error: errnoName(errno) }
  } finally {
    giveBack(actions, plan)
    const next = waiting.shift()
    if (next === undefined) busy--
    else next()
  }
}

/** Another descriptor for the same open file, clear of the standard streams. */
export function duplicate(fd: number): number {
  const copy = fcntl(fd, F_DUPFD_CLOEXEC, 'int', 3)
  if (copy < 0) throw Object.assign(new Error(`descriptor ${fd} cannot be duplicated`), { code: lastError() })
  return copy
}

/** Most launches have the same streams and no descriptor of their own. */
const kept = new Map<string, Buffer>()
const MOST_KEPT = 64

const keyOf = ({ stdin, stdout, stderr, cwd = '' }: SpawnPlan): string | undefined =>
  stdin === 'null' && isStanding(stdout) && isStanding(stderr) ? `${stdout} ${stderr} ${cwd}` : undefined

const isStanding = (stream: Stream): boolean => stream === 'null' || stream <= 2

function takeActions(plan: SpawnPlan): Buffer {
  const key = keyOf(plan)
  const old = key === undefined ? undefined : kept.get(key)
  if (old !== undefined) return old
  const actions = Buffer.alloc(STRUCT_SIZE)
  addActions(actions, plan)
  if (key !== undefined && kept.size < MOST_KEPT) kept.set(key, actions)
  return actions
}

function giveBack(actions: Buffer, plan: SpawnPlan): void {
  const key = keyOf(plan)
  if (key === undefined || kept.get(key) !== actions) destroyActions(actions)
}

function addActions(actions: Buffer, plan: SpawnPlan): void {
  initActions(actions)
  for (const [as, stream] of [plan.stdin, plan.stdout, plan.stderr].entries()) {
    if (stream === 'null') addOpen(actions, as, '/dev/null', as === 0 ? 0 : O_WRONLY, 0)
    else addDup2(actions, stream, as)
  }
  if (plan.cwd !== undefined) addChdir(actions, plan.cwd)
  if (hasNative('posix_spawn_file_actions_addclosefrom_np')) addCloseFrom(actions, 3)
}

function makeAttributes(): Buffer {
  const made = Buffer.alloc(STRUCT_SIZE)
  initAttributes(made)
  setFlags(made, SETSID | SETSIGDEF | SETSIGMASK)
  setDefaultSignals(made, Buffer.alloc(128, 0xff))
  setSignalMask(made, Buffer.alloc(128))
  if (!hasNative('posix_spawn_file_actions_addclosefrom_np')) closeInheritedOnExec()
  return made
}

/** Node opens everything close-on-exec, but may itself have been started with descriptors that are not. */
function closeInheritedOnExec(): void {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd > 2) fcntl(fd, F_SETFD, 'int', FD_CLOEXEC)
  }
}
