// Installs the locked dependencies if they are not there, so that a fresh clone needs one command.
// Plain JavaScript: it is the only script that may run on the machine's own, older Node.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The oldest Node that can run Kron. */
const OLDEST = [20, 19]

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = `${root}node_modules/.kron-setup`
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/** Ends with one sentence on the problem and one on the way out. */
function refuse(problem, hint) {
  console.error(`kron: ${problem}\n  hint: ${hint}`)
  process.exit(1)
}

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

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  refuse(
    `Kron needs Node ${OLDEST.join('.')} or later; this is Node ${process.versions.node}`,
    'install a current Node from https://nodejs.org, or: nvm install 22',
  )
}

function checkDirectory() {
  try {
    accessSync(root, constants.W_OK)
  } catch {
    refuse(`${root} cannot be written to`, 'clone the repository into a directory of your own')
  }
}

function install() {
  console.error('kron: installing dependencies (once) ...')
  try {
    run('ci', '--no-audit', '--no-fund', '--loglevel=error')
  } catch {
    refuse(
      'npm could not install the dependencies; the lines above say why',
      'the first start needs the npm registry: check the network or the proxy, then try again',
    )
  }
}

checkNode()
checkDirectory()
const lock = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')
if (readStamp() !== lock) {
  install()
  writeFileSync(stampFile, lock)
}
if (process.argv.includes('--build')) {
  console.error('kron: building ...')
  run('run', 'build', '--silent')
}
