/** `npm start`: the daemon in the foreground on the example jobs, with its console. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { livingHolder } from '@kron/host'
import { freePort } from './free-port.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const state = `${root}var/state`
/** Where the demo listens, for a second `npm start` and for the reader's bookmarks. */
const addressFile = `${root}var/address`
const FIRST_PORT = 9723
const STOP_SECONDS = 3

const given = process.argv.slice(2)
const unlessGiven = (flag: string, value: string): string[] => (given.includes(flag) ? [] : [flag, value])
const say = (line: string): void => console.error(`kron: ${line}`)

mkdirSync(state, { recursive: true, mode: 0o700 })
if (!given.includes('--state-dir')) refuseSecondStart()
const address = `127.0.0.1:${given.includes('--listen') ? FIRST_PORT : await freePort(FIRST_PORT)}`
writeFileSync(addressFile, address)
linkKrontab()
introduce()

const daemon = spawn(
  process.execPath,
  [
    `${root}packages/krond/bin/krond.cjs`,
    'start',
    ...unlessGiven('--config', `${root}examples`),
    ...unlessGiven('--state-dir', state),
    ...unlessGiven('--pid-file', `${root}var/krond.pid`),
    ...unlessGiven('--listen', address),
    ...unlessGiven('--stop', 'terminate'),
    ...unlessGiven('--stop-timeout', `${STOP_SECONDS}s`),
    ...given,
  ],
  // A group of its own: signals from the terminal reach it only through this process.
  { stdio: 'inherit', detached: true },
)

if (!given.includes('--listen') && !given.includes('--state-dir')) void announceConsole()

let askedAt: number | undefined
/** A signal to the process group may arrive twice: directly, and once more through npm. */
const REPEATED_MS = 500
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    const now = performance.now()
    if (askedAt !== undefined && now - askedAt < REPEATED_MS) return
    if (askedAt === undefined)
      say(
        `stopping; running jobs are ended, which takes ${STOP_SECONDS} s at most (Ctrl-C again: leave at once)`,
      )
    askedAt = now
    daemon.kill('SIGTERM')
  })
daemon.on('exit', (code, signal) => {
  if (askedAt !== undefined) say('stopped; npm start goes on where it left off')
  process.exit(code ?? (signal === null ? 1 : 0))
})

function refuseSecondStart(): void {
  const pid = livingHolder(`${state}/lock`)
  if (pid === undefined) return
  say(`npm start is already running here (krond ${pid}); its console is at http://${knownAddress()}/`)
  console.error(`  hint: stop it with Ctrl-C in its terminal, or with: kill ${pid}`)
  process.exit(1)
}

function knownAddress(): string {
  try {
    return readFileSync(addressFile, 'utf8')
  } catch {
    return `127.0.0.1:${FIRST_PORT}`
  }
}

/** The link carries the token, which lets its reader start and pause jobs; krond makes the token at its first start. */
async function announceConsole(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (existsSync(`${state}/token`)) {
      const token = readFileSync(`${state}/token`, 'utf8').trim()
      return say(`the console is at http://${address}/#token=${token}`)
    }
    await pause(100)
  }
}

/** From now on `npx krontab` in this clone looks at the demo. */
function linkKrontab(): void {
  const link = `${root}node_modules/.bin/krontab`
  rmSync(link, { force: true })
  symlinkSync('../../scripts/demo-krontab.cjs', link)
}

function introduce(): void {
  say('the daemon krond runs the example jobs of examples/ (Ctrl-C stops it; its state stays in var/)')
  if (given.includes('--listen')) return
  const [, port] = address.split(':')
  if (port !== String(FIRST_PORT)) say(`another program holds port ${FIRST_PORT}: using ${port}`)
  say('things to try in a second terminal, in this directory:')
  console.error('    npx krontab list')
  console.error('    npx krontab explain heartbeat')
  console.error('    npx krontab history import/flaky')
}
