/** The path of a new user, from a clean clone to the first spread schedule: what README.md says to type, literally. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { blocksOf, withoutComments } from '../../scripts/docs/blocks.ts'

const root = join(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'kron-new-user-'))
const clone = join(work, 'kron')
const env = {
  HOME: join(work, 'home'),
  // The machine's own Node, as a new user has it.
  PATH: `${join(work, 'bin')}:${dirname(systemNode())}:/usr/local/bin:/usr/bin:/bin`,
  LANG: 'C.UTF-8',
  // Only the downloads are shared with whoever runs the test.
  npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
}
/** Where `npm start` listens. */
const CONSOLE_PORT = 9723
/** It installs and builds before it runs anything. */
const PATIENCE = 600_000
let running: ChildProcess | undefined

function systemNode(): string {
  return existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath
}

/** The commands of README.md's code blocks that are meant to be typed, in their order. */
function typed(): string[] {
  const readme = withoutComments(readFileSync(join(clone, 'README.md'), 'utf8'))
  return blocksOf(readme)
    .filter(block => block.language === 'sh')
    .flatMap(block => commandsOf(block.text))
}

/** One command per line; a block with a here-document is one command. */
function commandsOf(text: string): string[] {
  if (text.includes('<<')) return [text]
  return text
    .split('\n')
    .map(line => line.replace(/\s+#.*$/, ''))
    .filter(line => line !== '')
}

const ended = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const shell = (line: string) => spawnSync('sh', ['-c', line], { cwd: clone, env, encoding: 'utf8' })

before(() => {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(root, file), join(clone, file))
  }
  mkdirSync(env.HOME)
  mkdirSync(join(work, 'bin'))
  const crontab = join(work, 'bin/crontab')
  writeFileSync(crontab, `#!/bin/sh\ncat '${clone}/examples/crontab'\n`)
  chmodSync(crontab, 0o755)
})

after(() => {
  if (running !== undefined && !ended(running)) process.kill(-running.pid!, 'SIGKILL')
  rmSync(work, { recursive: true, force: true })
})

test('README.md says how to start, and how to bring a crontab', () => {
  const lines = typed()
  assert.equal(lines[0], 'npm start')
  assert.ok(
    lines.some(line => /krontab import .*--suggest/.test(line)),
    'the import is missing',
  )
  assert.ok(
    lines.some(line => /krontab forecast/.test(line)),
    'the forecast is missing',
  )
})

test('npm start on a clean clone installs, builds and runs jobs', async t => {
  const elsewhere = (await isTaken(CONSOLE_PORT)) ? ['--', '--listen', '127.0.0.1:0'] : []
  if (elsewhere.length > 0) t.diagnostic(`port ${CONSOLE_PORT} is taken: npm start ${elsewhere.join(' ')}`)
  const daemon = spawn('npm', ['start', ...elsewhere], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = daemon
  let log = ''
  daemon.stdout.on('data', (data: Buffer) => (log += data))
  daemon.stderr.on('data', (data: Buffer) => (log += data))
  const over = once(daemon, 'exit')
  const end = Date.now() + PATIENCE
  while (!/event"?[=:]"?finished/.test(log) && !ended(daemon)) {
    assert.ok(Date.now() < end, `no job has finished:\n${log}`)
    await sleep(200)
  }
  assert.ok(!ended(daemon), `npm start ended:\n${log}`)
  process.kill(-daemon.pid!, 'SIGTERM')
  await over
  // A job that goes on without its daemon holds them open.
  daemon.stdout.destroy()
  daemon.stderr.destroy()
})

test('the other commands make a spread schedule of the crontab', () => {
  const said: string[] = []
  for (const line of typed().slice(1)) {
    if (line === 'npm test') continue
    const { status, stdout, stderr } = shell(line)
    said.push(stderr)
    // The crontab holds two things that cannot be carried over.
    assert.equal(status, line.includes('krontab import') ? 1 : 0, `${line}\n${stdout}\n${stderr}`)
  }
  assert.match(said.join(''), /standard input:4: lost: MAILTO/)
  assert.match(said.join(''), /standard input:17: lost: @reboot/)
  const output = /(?:-o|--output) (\S+)/.exec(typed().find(line => line.includes('krontab import'))!)
  const jobs = readFileSync(join(clone, output![1]!), 'utf8')
  assert.match(
    jobs,
    /^0 2 \* \* \* .*@win\(after,59m\).* name=backup command="\/usr\/local\/bin\/backup --all"/m,
  )
  assert.match(jobs, /^\*\/5 \* \* \* \* .*@win\(after,4m\).* name=poll-orders/m)
  const forecast = JSON.parse(
    shell(`npx krontab forecast --file ${output![1]} --format json --bucket 1m`).stdout,
  )
  assert.ok(forecast.plain.peak >= 6)
  assert.ok(forecast.kron.peak < forecast.plain.peak)
})

async function isTaken(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const taken = await once(server, 'listening').then(
    () => false,
    () => true,
  )
  server.close()
  return taken
}
