import { type ChildProcess, spawn } from 'node:child_process'
import type { ImageConfig } from './buildah.ts'

/** As `docker run --read-only --tmpfs /tmp` does it, in namespaces of mounts and processes. */
const CONTAINED = `
set -e
mount --bind "$ROOT" "$ROOT"
if [ -n "$JOBS" ]; then
  mount --bind -o ro "$JOBS" "$ROOT/etc/krond.d"
  mount -t tmpfs -o mode=700,uid=1000,gid=1000 none "$ROOT/var/lib/krond"
fi
mount -t tmpfs none "$ROOT/tmp"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -o remount,ro,bind "$ROOT"
exec chroot --userspec="$WHO" "$ROOT" /usr/bin/env -i "$@"
`

/** Starts what the image says as the first process of a container with a read-only root. */
export function runImage(
  root: string,
  config: ImageConfig,
  jobs: string,
  args: readonly string[] = config.Cmd ?? [],
): ChildProcess {
  const who = config.User === 'kron' ? '1000:1000' : config.User
  return spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', CONTAINED, 'sh'].concat(
      config.Env,
      config.Entrypoint,
      args,
    ),
    {
      detached: true,
      env: { PATH: process.env['PATH'], ROOT: root, JOBS: jobs, WHO: who },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}
