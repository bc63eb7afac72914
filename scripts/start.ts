/** `npm start`: the daemon in the foreground on the example jobs, with its console. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { livingHolder } from '@kron/host'
import { terminalFeed } from './demo/feed.ts'
import { recordPast } from './demo/recorded-past.ts'
import { freePort } from './free-port.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const state = `${root}var/state`
/** Where the demo listens, for a second `npm start` and for the reader's bookmarks. */
const addressFile = `${root}var/address`
const FIRST_PORT = 9723
const STOP_SECONDS = 3
const LAST_LINES_MS = 300

const given = process.argv.slice(2)
const unlessGiven = (flag: string, value: string): string[] => (given.includes(flag) ? [] : [flag, value])
const hasTerminal = process.stdout.isTTY && process.stderr.isTTY
/** On a terminal the link to the console stays on the last line. */
const feed = hasTerminal
  ? terminalFeed(
      text => void process.stdout.write(text),
      () => process.stdout.columns,
    )
  : undefined
const print = (line: string): void => (feed === undefined ? console.error(line) : feed.write(`${line}\n`))
const say = (line: string): void => print(`kron: ${line}`)

mkdirSync(state, { recursive: true, mode: 0o700 })
if (!given.includes('--state-dir')) refuseSecondStart()
const listen = given.includes('--listen') ? given[given.indexOf('--listen') + 1] : undefined
const address = listen === undefined ? `127.0.0.1:${await freePort(FIRST_PORT)}` : withHost(listen)
writeFileSync(addressFile, address)
linkKrontab()
if (!given.includes('--state-dir') && !given.includes('--config')) recordPast(`${root}examples`, state, now())
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
    ...(hasTerminal ? unlessGiven('--log-format', 'short') : []),
    ...given,
  ],
  // A group of its own: signals from the terminal reach it only through this process.
  {
    stdio: ['inherit', feed === undefined ? 'inherit' : 'pipe', feed === undefined ? 'inherit' : 'pipe'],
    detached: true,
  },
)
for (const stream of [daemon.stdout, daemon.stderr])
  stream?.setEncoding('utf8').on('data', (text: string) => feed?.write(text))

if (!isSocket(address) && !given.includes('--state-dir')) void announceConsole()

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
daemon.on('exit', async (code, signal) => {
  // The last lines arrive before `close`, which a job that goes on can put off.
  if (feed !== undefined) await Promise.race([once(daemon, 'close'), pause(LAST_LINES_MS)])
  feed?.end()
  if (askedAt !== undefined) say('stopped; npm start goes on where it left off')
  process.exit(code ?? (signal === null ? 1 : 0))
})

function refuseSecondStart(): void {
  const pid = livingHolder(`${state}/lock`)
  if (pid === undefined) return
  say(`npm start is already running here (krond ${pid}); its console is at http://${knownAddress()}/`)
  print(`  hint: stop it with Ctrl-C in its terminal, or with: kill ${pid}`)
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
      const link = `http://${address}/#token=${token}`
      say(`the console is at ${link}`)
      return feed?.keep(`console: ${link} (Ctrl-C stops)`)
    }
    await pause(100)
  }
}

/** From now on `npx krontab` in this clone looks at the demo. */
function linkKrontab(): void {
  const link = `${root}node_modules/.bin/krontab`
  rmSync(link, { force: true })
  symlinkSync('../../scripts/demo/krontab.cjs', link)
}

function introduce(): void {
  say('the daemon krond runs the example jobs of examples/ (Ctrl-C stops it; its state stays in var/)')
  say('a new demonstration begins with a short made-up past; each of its entries is marked "example"')
  const [, port] = address.split(':')
  if (listen === undefined && port !== String(FIRST_PORT))
    say(`another program holds port ${FIRST_PORT}: using ${port}`)
  say('things to try in a second terminal, in this directory:')
  print('    npx krontab list')
  print('    npx krontab explain heartbeat')
  print('    npx krontab history import/flaky')
}

/** krond takes a port alone for one of this machine. */
function withHost(given: string): string {
  return /^\d+$/.test(given) ? `127.0.0.1:${given}` : given
}

/** A browser cannot open a Unix socket. */
function isSocket(place: string): boolean {
  return place.includes('/')
}

function now(): number {
  return Math.floor(Date.now() / 1_000)
}
