/** The console in the system's Chromium against real daemons: `npm run verify -- browser`, with --screenshots also docs/images. */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { requireChromium } from './chromium.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const given = process.argv.slice(2)
const run = (...words: string[]): void =>
  void execFileSync(process.execPath, words, { stdio: 'inherit', cwd: root })

requireChromium()
run('packages/console/build.ts')

const wanted = given.filter(word => !word.startsWith('--'))
const files = globSync('packages/console/e2e/*.test.ts', { cwd: root })
  .filter(file => wanted.length === 0 || wanted.some(part => file.includes(part)))
  .sort()
const { status } = spawnSync(
  process.execPath,
  ['--conditions=kron-source', '--test', '--test-timeout=480000', '--test-concurrency=1', ...files],
  { stdio: 'inherit', cwd: root },
)
if (status === 0 && given.includes('--screenshots'))
  for (const script of ['screenshots.ts', 'start-pictures.ts'])
    run('--conditions=kron-source', `packages/console/e2e/${script}`)
process.exit(status ?? 1)
