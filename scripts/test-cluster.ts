// The operator's tests against a real control plane: `npm run test:cluster`.
import { spawnSync } from 'node:child_process'
import { binaries, hasGo } from '../test/cluster/binaries.ts'

const existing = process.env['KUBECONFIG_UNDER_TEST']
if (existing === undefined && !hasGo()) {
  console.log('cluster tests skipped: there is neither Go to build a control plane nor KUBECONFIG_UNDER_TEST')
  process.exit(0)
}
if (existing === undefined) binaries(line => console.log(line))
const args = [
  '--conditions=kron-source',
  '--test',
  // A test that failed may leave watches and processes behind.
  '--test-force-exit',
  ...process.argv.slice(2),
  'packages/operator/e2e/suite.cluster.ts',
]
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: `${import.meta.dirname}/..` })
process.exit(status ?? 1)
