/** `npm start`: the daemon in the foreground on the example jobs, with its console. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const state = `${root}var/state`
const address = '127.0.0.1:9723'
const given = process.argv.slice(2)
const unlessGiven = (flag: string, value: string): string[] => (given.includes(flag) ? [] : [flag, value])
mkdirSync(state, { recursive: true, mode: 0o700 })
console.error('kron: running the example jobs of examples/ (Ctrl-C stops; state is kept in var/)')
if (!given.includes('--listen')) {
  console.error(
    (await isFree(address))
      ? `kron: the console is at http://${address}/`
      : `kron: another program holds ${address}: the jobs run, but the console is not there until it is free\n` +
          '  hint: npm start -- --listen 127.0.0.1:9724',
  )
}

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

/** Whether nobody listens at an address yet. */
function isFree(at: string): Promise<boolean> {
  const [host, port] = at.split(':')
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(Number(port), host, () => probe.close(() => resolve(true)))
  })
}
