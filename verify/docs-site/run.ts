/** Builds the documentation site in var/site and looks at it in a browser; `--built` takes the one that is there. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const site = process.env['KRON_SITE'] ?? join(root, 'var/site')
const run = (command: string, ...words: string[]): void =>
  void execFileSync(command, words, { stdio: 'inherit', cwd: root })

if (!existsSync(process.env['KRON_CHROMIUM'] ?? '/usr/bin/chromium')) {
  console.error('kron: installing chromium (once) ...')
  run('apt-get', 'update', '-qq')
  run('apt-get', 'install', '-y', '-qq', 'chromium')
}
if (!process.argv.includes('--built'))
  run(process.execPath, '--conditions=kron-source', 'scripts/docs-site.ts', site)
const { status } = spawnSync(
  process.execPath,
  ['--conditions=kron-source', '--test', '--test-timeout=480000', 'packages/console/e2e/docs-site.e2e.ts'],
  { stdio: 'inherit', cwd: root, env: { ...process.env, KRON_SITE: site } },
)
process.exit(status ?? 1)
