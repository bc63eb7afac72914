import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { directory, isRoot, launcher, run, specOf } from './launch.test-support.ts'
import type { LaunchError, Output } from './launcher.ts'

const PATIENCE = 60_000
const toFile = (path: string): Output => ({ kind: 'file', path })
const bothTo = (output: Output) => ({ stdout: output, stderr: output })
const refused = (code: string) => (error: unknown) =>
  (error as LaunchError).code === code && (error as LaunchError).created === 'no'

test('files are appended to, made with mode 0640, and shared by both streams', async () => {
  const dir = directory()
  const path = `${dir}/log`
  for (const text of ['one', 'two']) {
    const { exited } = await launcher.launch(
      specOf({ shell: `echo ${text}; echo ${text} >&2` }, bothTo(toFile(path))),
    )
    await exited
  }
  assert.equal(readFileSync(path, 'utf8'), 'one\none\ntwo\ntwo\n')
  assert.equal(statSync(path).mode & 0o777, 0o640 & ~process.umask())
})

test('given descriptors may even be crossed', async () => {
  const dir = directory()
  const [out, err] = [openSync(`${dir}/out`, 'w'), openSync(`${dir}/err`, 'w')]
  const { exited } = await launcher.launch(
    specOf(
      { shell: 'echo to stdout; echo to stderr >&2' },
      { stdout: { kind: 'descriptor', fd: err }, stderr: { kind: 'descriptor', fd: out } },
    ),
  )
  await exited
  closeSync(out)
  closeSync(err)
  assert.equal(readFileSync(`${dir}/out`, 'utf8'), 'to stderr\n')
  assert.equal(readFileSync(`${dir}/err`, 'utf8'), 'to stdout\n')
})

test('a job that floods its output does not grow this process', async () => {
  const dir = directory()
  const before = process.memoryUsage.rss()
  for (const stdout of [toFile(`${dir}/flood`), { kind: 'discard' } as const]) {
    const { exited } = await launcher.launch(specOf(['head', '-c', '50000000', '/dev/zero'], { stdout }))
    assert.deepEqual(await exited, { kind: 'code', code: 0 })
  }
  assert.equal(statSync(`${dir}/flood`).size, 50_000_000)
  assert.ok(process.memoryUsage.rss() - before < 25_000_000)
})

test('an output that cannot be opened is refused and says which', async () => {
  const dir = directory()
  writeFileSync(`${dir}/victim`, '')
  symlinkSync(`${dir}/victim`, `${dir}/link`)
  execFileSync('mkfifo', [`${dir}/pipe`])
  for (const [path, code] of [
    [`${dir}/none/log`, 'ENOENT'],
    [`${dir}/link`, 'ELOOP'],
    [`${dir}/pipe`, 'ENXIO'],
    [dir, 'EISDIR'],
  ] as const) {
    await assert.rejects(launcher.launch(specOf(['true'], { stdout: toFile(path) })), (error: unknown) => {
      assert.ok(refused(code)(error), `${path}: ${error}`)
      return (error as Error).message.includes(path)
    })
  }
  await assert.rejects(
    launcher.launch(specOf(['true'], { stdout: { kind: 'descriptor', fd: 9999 } })),
    refused('EBADF'),
  )
  const reader = openSync(`${dir}/pipe`, 'r+')
  await assert.rejects(launcher.launch(specOf(['true'], bothTo(toFile(`${dir}/pipe`)))), refused('EINVAL'))
  closeSync(reader)
})

test('no descriptor is left open, whether a launch succeeds or fails', async () => {
  const dir = directory()
  const opened = () => readdirSync('/proc/self/fd').length
  await run(['true'])
  const before = opened()
  const launches = ['true', '/no/such/file', '/etc/passwd'].flatMap(word =>
    [toFile(`${dir}/log`), toFile(`${dir}/none/log`), { kind: 'descriptor', fd: 2 } as const].map(output =>
      launcher.launch(specOf([word], { stdout: toFile(`${dir}/out`), stderr: output })),
    ),
  )
  for (const launch of await Promise.allSettled(launches)) {
    if (launch.status === 'fulfilled') await launch.value.exited
  }
  for (const end = Date.now() + PATIENCE; opened() > before && Date.now() < end; ) await sleep(10)
  assert.ok(opened() <= before)
})

test('a device is a fine place for output', async () => {
  const { exited } = await launcher.launch(specOf(['echo', 'x'], bothTo(toFile('/dev/null'))))
  assert.deepEqual(await exited, { kind: 'code', code: 0 })
})

test('for a job of another user no link in the whole path is followed', async () => {
  const dir = directory()
  mkdirSync(`${dir}/real`)
  symlinkSync(`${dir}/real`, `${dir}/linked`)
  writeFileSync(`${dir}/real/precious`, '')
  linkSync(`${dir}/real/precious`, `${dir}/real/alias`)
  const user = { uid: 65_534, gid: 65_534 }
  for (const [path, code] of [
    [`${dir}/linked/log`, 'ENOTDIR'],
    [`${dir}/real/alias`, 'EINVAL'],
  ] as const) {
    await assert.rejects(launcher.launch(specOf(['true'], { user, ...bothTo(toFile(path)) })), refused(code))
  }
  const launch = launcher.launch(specOf(['true'], { user, ...bothTo(toFile(`${dir}/real/log`)) }))
  if (isRoot) assert.deepEqual(await (await launch).exited, { kind: 'code', code: 0 })
  else await assert.rejects(launch, refused('EPERM'))
})

test('inherited output goes where the output of the daemon goes', () => {
  const script = `
    import { linuxProcessTable, posixLauncher } from '@kron/runtime'
    const launcher = posixLauncher(linuxProcessTable())
    const inherit = { kind: 'inherit' }
    const { exited } = await launcher.launch({
      command: { shell: 'echo out; echo err >&2' }, environment: {}, stdout: inherit, stderr: inherit,
    })
    console.log(JSON.stringify(await exited))
  `
  const stdout = execFileSync(
    process.execPath,
    ['--conditions=kron-source', '--input-type=module', '-e', script],
    { encoding: 'utf8', cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  assert.equal(stdout, 'out\n{"kind":"code","code":0}\n')
})

/** Puts a logger that writes down what it is told in front of the real one. */
async function withFakeLogger(act: (dir: string) => Promise<void>): Promise<void> {
  const dir = directory()
  writeFileSync(`${dir}/logger`, `#!/bin/sh\n{ echo "$@"; cat; } > ${dir}/log-$4\n`)
  chmodSync(`${dir}/logger`, 0o755)
  const path = process.env.PATH
  process.env.PATH = `${dir}:${path}`
  try {
    await act(dir)
  } finally {
    process.env.PATH = path
  }
}

test('syslog gets stdout as info and stderr as warning, through readers of their own', async () => {
  await withFakeLogger(async dir => {
    const syslog = { kind: 'syslog', tag: 'nightly' } as const
    const { exited } = await launcher.launch(specOf({ shell: 'echo out; echo err >&2' }, bothTo(syslog)))
    assert.deepEqual(await exited, { kind: 'code', code: 0 })
    const wanted = { info: '-t nightly -p user.info\nout\n', warning: '-t nightly -p user.warning\nerr\n' }
    for (const [priority, text] of Object.entries(wanted)) {
      const path = `${dir}/log-user.${priority}`
      // The logger may be slow to make its file.
      const read = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')
      for (const end = Date.now() + PATIENCE; read() !== text && Date.now() < end; ) await sleep(20)
      assert.equal(read(), text)
    }
  })
})

test('without a logger a job for syslog is refused', async () => {
  const path = process.env.PATH
  process.env.PATH = directory()
  try {
    await assert.rejects(
      launcher.launch(specOf(['/bin/true'], bothTo({ kind: 'syslog', tag: 'x' }))),
      refused('ENOENT'),
    )
  } finally {
    process.env.PATH = path
  }
  assert.deepEqual((await run(['true'])).exit, { kind: 'code', code: 0 })
})
