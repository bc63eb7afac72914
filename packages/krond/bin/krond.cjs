#!/usr/bin/env node
// CommonJS, because Node starts it sooner; and a bundle is loaded sooner than the two hundred modules it is made of.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

/** V8 would wake every eight seconds to see whether it could collect; a daemon that sleeps makes no garbage. */
const FLAG = '--no-memory-reducer'

const bundle = join(__dirname, '../dist/krond.cjs')
const words = process.argv.slice(2)
if (words[0] === 'start' && !process.execArgv.includes(FLAG)) startAnew()
if (existsSync(bundle)) {
  // The daemon may leave children and sockets behind on purpose: nothing of them may keep the process alive.
  require(bundle)
    .main(words)
    .then(code => process.exit(code))
} else import('../dist/bin/krond.js')

/** The flag counts only from the very start. The process stays the same one; a Node that cannot do this wakes more often. */
function startAnew() {
  const { execPath, execArgv, execve, env } = process
  execve?.(execPath, [execPath, ...execArgv, FLAG, __filename, ...words], env)
}
