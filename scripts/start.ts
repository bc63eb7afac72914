/** `npm start`: the daemon in the foreground on the example jobs, with its console. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const state = `${root}var/state`
const address = '127.0.0.1:9723'
const given = process.argv.slice(2)
const unlessGiven = (flag: string, value: string): string[] => (given.includes(flag) ? [] : [flag, value])
mkdirSync(state, { recursive: true, mode: 0o700 })
console.error('kron: running the example jobs of examples/ (Ctrl-C stops; state is kept in var/)')
if (!given.includes('--listen')) console.error(`kron: the console is at http://${address}/`)

const daemon = spawn(
  process.execPath,
  [
    `${root}packages/krond/bin/krond.cjs`,
    'start',
    ...unlessGiven('--config', `${root}examples`),
    ...unlessGiven('--state-dir', state),
    ...unlessGiven('--pid-file', `${root}var/krond.pid`),
    ...unlessGiven('--listen', address),
    ...given,
  ],
  { stdio: 'inherit' },
)
// Ctrl-C reaches the daemon from the terminal as well; this process only waits for it.
process.on('SIGINT', () => {}).on('SIGTERM', () => daemon.kill('SIGTERM'))
daemon.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)))
