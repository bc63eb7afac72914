/** Builds and runs the container images without an engine: `npm run verify -- images`. Needs root, buildah and mmdebstrap. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const works = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0
const missing = ['buildah', 'mmdebstrap', 'git'].filter(program => !works(program, '--version'))
const mounts = works('unshare', '--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'none', '/tmp')
if (missing.length > 0 || !mounts) {
  const why = missing.length > 0 ? `there is no ${missing.join(', no ')}` : 'this user may not mount'
  console.log(`container images skipped: ${why}`)
  process.exit(0)
}
const { status } = spawnSync(
  process.execPath,
  ['--conditions=kron-source', '--test', 'packaging/container/images.packaging.ts'],
  { stdio: 'inherit', cwd: join(import.meta.dirname, '../..') },
)
process.exit(status ?? 1)
