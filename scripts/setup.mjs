// Installs the locked dependencies if they are not there, so that a fresh clone needs one command.
// Plain JavaScript: it is the only script that may run on the machine's own, older Node.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = `${root}node_modules/.kron-setup`
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

function run(...args) {
  execFileSync(npm, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
}

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return ''
  }
}

const lock = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')
if (readStamp() !== lock) {
  console.error('kron: installing dependencies (once) ...')
  run('ci', '--no-audit', '--no-fund', '--loglevel=error')
  writeFileSync(stampFile, lock)
}
if (process.argv.includes('--build')) run('run', 'build', '--silent')
