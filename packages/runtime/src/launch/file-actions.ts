import { hasNative, native } from '../native/native.ts'
import type { SpawnPlan, Stream } from './spawn.ts'

const init = native<[Buffer], number>('int posix_spawn_file_actions_init(void *actions)')
const destroy = native<[Buffer], number>('int posix_spawn_file_actions_destroy(void *actions)')
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

const O_RDONLY = 0
const O_WRONLY = 1
/** Larger than the opaque structures of any C library. */
export const STRUCT_SIZE = 1024
const MOST_KEPT = 64

/** Most launches have the same streams and no descriptor of their own. */
const kept = new Map<string, Buffer>()

/** Older glibc cannot change the directory in the child. */
export const canChangeDirectory = (): boolean => hasNative('posix_spawn_file_actions_addchdir_np')

export const canCloseTheRest = (): boolean => hasNative('posix_spawn_file_actions_addclosefrom_np')

/** What the child does to its descriptors and directory before it becomes the program. */
export function takeFileActions(plan: SpawnPlan): Buffer {
  const key = keyOf(plan)
  const old = key === undefined ? undefined : kept.get(key)
  if (old !== undefined) return old
  const actions = Buffer.alloc(STRUCT_SIZE)
  fill(actions, plan)
  if (key !== undefined && kept.size < MOST_KEPT) kept.set(key, actions)
  return actions
}

export function giveBackFileActions(actions: Buffer, plan: SpawnPlan): void {
  const key = keyOf(plan)
  if (key === undefined || kept.get(key) !== actions) destroy(actions)
}

const keyOf = ({ stdin, stdout, stderr, cwd = '' }: SpawnPlan): string | undefined =>
  stdin === 'null' && isStanding(stdout) && isStanding(stderr) ? `${stdout} ${stderr} ${cwd}` : undefined

const isStanding = (stream: Stream): boolean => stream === 'null' || stream <= 2

function fill(actions: Buffer, plan: SpawnPlan): void {
  init(actions)
  for (const [as, stream] of [plan.stdin, plan.stdout, plan.stderr].entries()) {
    if (stream === 'null') addOpen(actions, as, '/dev/null', as === 0 ? O_RDONLY : O_WRONLY, 0)
    else addDup2(actions, stream, as)
  }
  if (plan.cwd !== undefined) addChdir(actions, plan.cwd)
  if (canCloseTheRest()) addCloseFrom(actions, 3)
}
