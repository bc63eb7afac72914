/** The built packages on the machine's own Node: the golden vectors, and a scheduler's day: `npm run verify -- dist`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { referenceDirectory } from '../../vectors/runner.js'
import { ownNode } from '../own-node.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const node = ownNode()
if (node === undefined) {
  console.error(
    'error: no node on the path besides the pinned one, so there is nothing to check the build with',
  )
  process.exit(1)
}
const tsc = join(root, 'node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [tsc, '-b', 'packages/scheduler'], { cwd: root, stdio: 'inherit' })

const reference = referenceDirectory()
if (reference === undefined) console.log('reference vectors not found: checking ours alone')
const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
console.log(`golden vectors with packages/core/dist on Node ${version}`)
const directories = ['vectors', ...(reference === undefined ? [] : [reference])]
run(node, ['vectors/runner.js', 'packages/core/dist/index.js', ...directories])
for (const each of [node, process.execPath]) run(each, ['packages/scheduler/e2e/dist.js'])
