#!/usr/bin/env node
// CommonJS, because Node starts it sooner; and a bundle is loaded sooner than the two hundred modules it is made of.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

/** V8 would wake every eight seconds to see whether it could collect; a daemon that sleeps makes no garbage. */
const FLAG = '--no-memory-reducer'
/** krond returns memory through Node's FFI, and Node would warn of that in krond's log. */
const QUIET = '--disable-warning=ExperimentalWarning'
/**
 * glibc returns large blocks to the system only while this threshold is fixed; else the texts of a hundred thousand jobs
 * leave 30 MB behind. Nobody else writes it with a plus sign, so the daemon can take it out of its environment again.
 */
const THRESHOLD = 'MALLOC_MMAP_THRESHOLD_'
const FIXED = '+131072'

const bundle = join(__dirname, '../dist/krond.cjs')
const words = process.argv.slice(2)
if (words[0] === 'start' && !process.execArgv.includes(FLAG)) startAnew()
if (process.env[THRESHOLD] === FIXED) delete process.env[THRESHOLD]
if (existsSync(bundle)) {
  // The daemon may leave children and sockets behind on purpose: nothing of them may keep the process alive.
  require(bundle)
    .main(words)
    .then(code => process.exit(code))
} else import('../dist/bin/krond.js')

/** The flag counts only from the very start. The process stays the same one; a Node that cannot do this wakes more often. */
function startAnew() {
  const { execPath, execArgv, execve, env } = process
  execve?.(execPath, [execPath, ...execArgv, FLAG, QUIET, __filename, ...words], {
    [THRESHOLD]: FIXED,
    ...env,
  })
}
