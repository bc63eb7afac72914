import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const home = mkdtempSync(join(tmpdir(), 'kronctl-home-'))
after(() => rmSync(home, { recursive: true }))

const program = join(import.meta.dirname, '../bin/kronctl.ts')

/** The standard error of kronctl for a user who has no kubeconfig. */
function errorOf(...words: string[]): string {
  const { status, stderr } = spawnSync(process.execPath, ['--conditions=kron-source', program, ...words], {
    cwd: home,
    encoding: 'utf8',
    env: { HOME: home },
  })
  assert.equal(status, 1, stderr)
  return stderr
}

test('without a kubeconfig, kronctl says that no cluster is configured, and where it looked', () => {
  assert.equal(
    errorOf('next', 'shop/backup'),
    'error: no cluster is configured: there is no --kubeconfig, KUBECONFIG or ~/.kube/config\n',
  )
})

test('a manifest that does not exist is named', () => {
  assert.equal(
    errorOf('validate', '-f', 'backup.yaml'),
    'error: backup.yaml: there is no such file or directory\n',
  )
})

const INSTALL = ['--conditions=kron-source', program, 'install', '--print']

test('output that cannot be written is an error in one line', () => {
  const { status, stderr } = spawnSync(process.execPath, INSTALL, {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  assert.equal(stderr, 'error: cannot write the output: ENOSPC: no space left on device, write\n')
  assert.equal(status, 1)
})

test('a reader that takes only the first line ends kronctl quietly', () => {
  const script = '("$@"; echo "exit $?" >&2) | head -n 1'
  const words = ['-c', script, 'sh', process.execPath, ...INSTALL]
  const { stdout, stderr } = spawnSync('sh', words, { encoding: 'utf8' })
  assert.equal(stdout, 'apiVersion: v1\n')
  assert.equal(stderr, 'exit 0\n')
})
