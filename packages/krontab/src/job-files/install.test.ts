import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listJobFiles, PathTrust } from '@kron/host'
import { Refusal } from '../context/refusal.ts'
import { install } from './install.ts'

const here = realpathSync(mkdtempSync(join(tmpdir(), 'kron-install-')))
const trust = new PathTrust({ uid: process.getuid!(), gid: process.getgid!(), followSymlinks: false })
after(() => rmSync(here, { recursive: true }))
const source = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const start = (script: string, words: readonly string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, ['--conditions=kron-source', source(script), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  })
const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise(resolve => child.once('exit', resolve))

// The same delays every time: the progress of the processes varies enough.
const MOMENTS = [0, 1, 2, 3, 5, 8, 13, 21]

test('a process killed while it replaces a file leaves a whole one', async () => {
  const path = join(here, 'letters.kron')
  for (const moment of MOMENTS) {
    const child = start('../../../testkit/src/krontab/install-forever.ts', [path])
    await new Promise(resolve => child.stdout!.once('data', resolve))
    await pause(moment)
    child.kill('SIGKILL')
    await ended(child)
    const text = readFileSync(path, 'utf8')
    assert.equal(text, text[0]!.repeat(200_000))
    assert.deepEqual(listJobFiles(here), [path], 'nothing half done looks like a job file')
  }
})

test('add, remove and edit killed at any moment leave the old file or the new one', async () => {
  const jobs = Array.from({ length: 20_000 }, (_, i) => `@daily name=job-${i} command=/bin/true\n`)
  const before = jobs.join('')
  const incoming = join(here, 'incoming')
  mkdirSync(incoming)
  writeFileSync(join(incoming, 'a.kron'), `# new\n${before}`)
  const commands = [
    {
      words: ['add', '--file', join(incoming, 'a.kron'), '--to', here, '--replace'],
      result: `# new\n${before}`,
    },
    { words: ['remove', 'job-7', '--file', join(here, 'a.kron')], result: jobs.toSpliced(7, 1).join('') },
    { words: ['edit', join(here, 'a.kron')], result: `${before}# end\n` },
  ]
  for (const { words, result } of commands) {
    const seen = new Set<string>()
    for (const moment of [150, 300, 500, 800, 60_000]) {
      writeFileSync(join(here, 'a.kron'), before)
      const child = start('../bin/krontab.ts', words, { EDITOR: 'echo "# end" >>' })
      const timer = setTimeout(() => child.kill('SIGKILL'), moment)
      await ended(child)
      clearTimeout(timer)
      const text = readFileSync(join(here, 'a.kron'), 'utf8')
      assert.ok(text === before || text === result, `${words[0]} after ${moment} ms`)
      seen.add(text === before ? 'old' : 'new')
    }
    assert.ok(seen.has('new'), `${words[0]} succeeds when it is left alone`)
  }
})

test('a file that must be new never replaces one', async () => {
  const path = join(here, 'new.kron')
  await install({ path, text: 'first', replace: false, trust })
  await assert.rejects(install({ path, text: 'second', replace: false, trust }), (error: unknown) => {
    assert.ok(error instanceof Refusal)
    assert.match(error.message, /exists already/)
    return true
  })
  assert.equal(readFileSync(path, 'utf8'), 'first')
  assert.deepEqual(
    readdirSync(here).filter(name => name.startsWith('.new')),
    [],
    'nothing is left beside it',
  )
})
