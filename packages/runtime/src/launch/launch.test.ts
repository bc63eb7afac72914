import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { closeDescriptor, native } from '../native/native.ts'
import { readProcessStat } from '../process/proc-stat.ts'
import { directory, isRoot, launcher, PATH, processes, run, specOf } from './launch.test-support.ts'
import { LaunchError } from './launcher.ts'

const dup = native<[fd: number], number>('int dup(int fd)')

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof LaunchError && error.code === code && error.created === 'no'

test('exit codes and signals come back exactly', async () => {
  const { exit, stdout } = await run({ shell: 'echo "$0 in $PWD"; exit 42' }, { cwd: '/' })
  assert.deepEqual(exit, { kind: 'code', code: 42 })
  assert.equal(stdout, '/bin/sh in /\n')
  assert.deepEqual((await run(['true'])).exit, { kind: 'code', code: 0 })
  for (const signal of ['KILL', 'TERM', 'SEGV']) {
    const ran = await run({ shell: `kill -${signal} $$` })
    assert.deepEqual(ran.exit, { kind: 'signal', signal: `SIG${signal}` })
  }
})

test('arguments and environment arrive as given and nothing is added', async () => {
  const words = ['', 'two words', 'ü "$HOME" \\', '--', '*']
  const { stdout } = await run(['printf', '[%s]\n', ...words])
  assert.equal(stdout, words.map(word => `[${word}]\n`).join(''))
  const environment = { PATH, EMPTY: '', 'odd.name': 'a=b c', TEXT: 'line\nline' }
  const ran = await run(['env', '-0'], { environment })
  assert.deepEqual(
    ran.stdout.split('\0').slice(0, -1).sort(),
    Object.entries(environment)
      .map(([name, value]) => `${name}=${value}`)
      .sort(),
  )
})

test('what cannot be started is refused, for certain and with its reason', async () => {
  const dir = directory()
  const file = (name: string, text: string, mode: number) => {
    writeFileSync(`${dir}/${name}`, text)
    chmodSync(`${dir}/${name}`, mode)
    return `${dir}/${name}`
  }
  const cases: [string[], string, RegExp][] = [
    [['/no/such/file'], 'ENOENT', /no such file/],
    [['no-such-command'], 'ENOENT', /absolute path/],
    [[file('data', 'text', 0o644)], 'EACCES', /not executable/],
    [[dir], 'EACCES', /not a program/],
    [[file('script', 'echo hello\n', 0o755)], 'ENOEXEC', /neither a binary/],
    [[file('orphan', '#!/no/such/interpreter\n', 0o755)], 'ENOENT', /interpreter/],
    [['true', 'x'.repeat(200_000)], 'E2BIG', /too long/],
  ]
  for (const [command, code, hint] of cases) {
    await assert.rejects(launcher.launch(specOf(command)), (error: unknown) => {
      assert.ok(refusedWith(code)(error), `${command[0]}: ${error}`)
      assert.match((error as LaunchError).hint ?? '', hint)
      return true
    })
  }
  await assert.rejects(launcher.launch(specOf([])), refusedWith('ENOENT'))
  await assert.rejects(launcher.launch(specOf(['echo', 'a\0b'])), refusedWith('EINVAL'))
  for (const environment of [{ 'A=B': 'c' }, { A: 'b\0C=d' }, { '': 'x' }]) {
    await assert.rejects(launcher.launch(specOf(['true'], { environment })), refusedWith('EINVAL'))
  }
})

test('a working directory that is gone is refused', async () => {
  await assert.rejects(
    launcher.launch(specOf(['true'], { cwd: `${directory()}/gone` })),
    (error: unknown) => refusedWith('ENOENT')(error) && /directory .*gone/.test((error as LaunchError).hint!),
  )
  const dir = directory()
  assert.equal((await run(['pwd'], { cwd: dir })).stdout, `${dir}\n`)
})

test('a process leads its own session, reads nothing and starts with default signals', async () => {
  const { stdout } = await run({ shell: 'cut -d" " -f5,6 /proc/$$/stat; echo $$; cat' })
  const [ids, pid, ...read] = stdout.trim().split('\n')
  assert.equal(ids, `${pid} ${pid}`)
  assert.deepEqual(read, [])
  const signals = await run(['grep', '-E', '^Sig(Blk|Ign)', '/proc/self/status'])
  assert.equal(signals.stdout, 'SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n')
})

test('no descriptor leaks into a process', async () => {
  const leaky = dup(2)
  try {
    const { stdout } = await run(['ls', '/proc/self/fd'])
    assert.equal(stdout, '0\n1\n2\n3\n', '3 is the directory that ls reads')
  } finally {
    closeDescriptor(leaky)
  }
})

test('the process is identified while it runs and leaves no zombie', async () => {
  const { process, exited } = await launcher.launch(specOf(['sleep', '60']))
  assert.deepEqual(processes.identify(process.pid), process)
  assert.ok(processes.signalGroup(process, 'SIGTERM'))
  assert.deepEqual(await exited, { kind: 'signal', signal: 'SIGTERM' })
  assert.equal(readProcessStat(process.pid), undefined)
})

test("many at once all start and all end, beside Node's own children", async () => {
  const own = Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const error = await promisify(execFile)('sh', ['-c', `exit ${index + 1}`]).catch(error => error)
      return error.code
    }),
  )
  const codes = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const { exited } = await launcher.launch(specOf({ shell: `exit ${index}` }))
      return exited
    }),
  )
  assert.deepEqual(
    codes,
    codes.map((_, code) => ({ kind: 'code', code })),
  )
  assert.deepEqual(
    await own,
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
  assert.deepEqual(ownZombies(), [])
})

/** Other processes of the machine may leave zombies too. */
function ownZombies(): string[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,stat=,comm=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  })
  return stdout.split('\n').filter(line => /^\s*\d+\s+Z.*\bsh\b/.test(line))
}

test('a command word is looked for in the PATH of the job, whose relative entries start at its directory', async () => {
  const dir = directory()
  mkdirSync(`${dir}/bin`)
  for (const [name, text] of [
    ['tool', '#!/bin/sh\necho mine\n'],
    ['plain', 'not executable'],
  ] as const) {
    writeFileSync(`${dir}/bin/${name}`, text)
    chmodSync(`${dir}/bin/${name}`, name === 'tool' ? 0o755 : 0o644)
  }
  mkdirSync(`${dir}/decoy/tool`, { recursive: true })
  const environment = { PATH: 'decoy:bin:/usr/bin:/bin' }
  const ran = await run(['tool'], { cwd: dir, environment })
  assert.equal(ran.stdout, 'mine\n')
  await assert.rejects(launcher.launch(specOf(['plain'], { cwd: dir, environment })), refusedWith('EACCES'))
  assert.equal((await run(['./bin/tool'], { cwd: dir })).stdout, 'mine\n')
})

test('without a PATH the usual directories are searched', async () => {
  const ran = await run(['echo', 'found'], { environment: {} })
  assert.equal(ran.stdout, 'found\n')
})

test('where few processes are allowed, those that have ended make room for the next', {
  skip: !isRoot,
}, () => {
  const script = fileURLToPath(new URL('./many-starts.test-support.ts', import.meta.url))
  // Root has no such limit; whoever else runs this must still be able to read these files.
  const readAnything = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  const user = ['--reuid=54321', '--regid=54321', '--clear-groups', ...readAnything]
  const words = ['sh', '-c', 'ulimit -p 60 2>/dev/null || ulimit -u 60; exec "$0" "$@"']
  const node = [
    process.execPath,
    ...process.execArgv.filter(word => !word.startsWith('--test')),
    script,
    '500',
  ]
  const { stdout, stderr } = spawnSync('setpriv', [...user, ...words, ...node], { encoding: 'utf8' })
  assert.equal(stdout, '500\n', stderr)
})
