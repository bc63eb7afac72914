/** Builds the documentation site in var/site and looks at it in a browser; `--built` takes the one that is there. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { requireChromium } from '../browser/chromium.ts'

const root = join(import.meta.dirname, '../..')
const site = process.env['KRON_SITE'] ?? join(root, 'var/site')

requireChromium()
if (!process.argv.includes('--built'))
  execFileSync(process.execPath, ['--conditions=kron-source', 'scripts/docs-site.ts', site], {
    stdio: 'inherit',
    cwd: root,
  })
const { status } = spawnSync(
  process.execPath,
  ['--conditions=kron-source', '--test', '--test-timeout=480000', 'packages/console/e2e/docs-site.e2e.ts'],
  { stdio: 'inherit', cwd: root, env: { ...process.env, KRON_SITE: site } },
)
process.exit(status ?? 1)
