// The operator's tests against a real control plane: `npm run verify -- cluster`.
import { spawnSync } from 'node:child_process'
import { prepareTools } from '../../packages/operator/e2e/support/tools.ts'
import { binaries } from './binaries.ts'
import { obstacle } from './go.ts'

if (process.env['KUBECONFIG_UNDER_TEST'] === undefined) {
  const why = obstacle()
  if (why !== undefined) {
    const skipped = process.env['CI'] === undefined
    console.log(
      `cluster tests ${skipped ? 'skipped' : 'impossible'}: ${why}, and KUBECONFIG_UNDER_TEST is not set`,
    )
    // Where everything must pass, a skipped test counts as failed.
    process.exit(skipped ? 0 : 1)
  }
  await binaries(line => console.log(line))
}
prepareTools(line => console.log(line))
const args = [
  '--conditions=kron-source',
  '--test',
  // A test that failed may leave watches and processes behind.
  '--test-force-exit',
  ...process.argv.slice(2),
  'packages/operator/e2e/suite.cluster.ts',
]
const { status } = spawnSync(process.execPath, args, {
  stdio: 'inherit',
  cwd: `${import.meta.dirname}/../..`,
})
process.exit(status ?? 1)
