import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRoot, launcher, PATH, root, run, specOf } from './launch.test-support.ts'
import type { LaunchError, LaunchSpec } from './launcher.ts'

const NOBODY = { uid: 65_534, gid: 65_533 }
const refused = (code: string) => (error: unknown) =>
  (error as LaunchError).code === code && (error as LaunchError).created === 'no'

/** As root the job must run; otherwise it must be refused, never run as the wrong user. */
async function runAs(command: LaunchSpec['command'], rest: Partial<LaunchSpec>): Promise<string | undefined> {
  if (isRoot) return (await run(command, rest)).stdout
  await assert.rejects(launcher.launch(specOf(command, rest)), refused('EPERM'))
  return undefined
}

test("umask and limits are the job's own", async () => {
  const limits = { nofile: 64, nproc: 4000 }
  const { stdout } = await run(
    { shell: 'umask; ulimit -n; ulimit -Hn; grep "Max processes" /proc/$$/limits' },
    { umask: 0o27, limits },
  )
  assert.match(stdout, /^0027\n64\n64\nMax processes +4000 +4000 /)
  assert.notEqual((await run({ shell: 'ulimit -n' })).stdout, '64\n')
  assert.notEqual(process.umask(), 0o27)
})

test('a shell in between leaves no trace in the environment', async () => {
  const { stdout } = await run(['env'], { umask: 0o77, environment: { PATH, ONE: '1' } })
  assert.deepEqual(stdout.trim().split('\n').sort(), ['ONE=1', `PATH=${PATH}`])
  const given = await run(['env'], { umask: 0o77, environment: { PATH, PWD: 'mine' } })
  assert.match(given.stdout, /^PWD=/m)
})

test('a job of another user has nothing of ours left', async () => {
  const stdout = await runAs(
    { shell: 'grep -E "^(Uid|Gid|Groups|CapEff|CapPrm|CapAmb)" /proc/self/status' },
    { user: NOBODY },
  )
  if (stdout === undefined) return
  const status = Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map(line => line.split(':').map(part => part.trim().replaceAll('\t', ' '))),
  )
  assert.deepEqual(status, {
    Uid: '65534 65534 65534 65534',
    Gid: '65533 65533 65533 65533',
    Groups: '',
    CapEff: '0000000000000000',
    CapPrm: '0000000000000000',
    CapAmb: '0000000000000000',
  })
})

test('supplementary groups are those asked for', async () => {
  const user = { ...NOBODY, groups: [4, 65_533] }
  const stdout = await runAs({ shell: 'id -G' }, { user })
  if (stdout !== undefined) assert.equal(stdout.trim(), '65533 4')
})

test('user, umask, limits and directory work together', async () => {
  const stdout = await runAs(
    { shell: 'umask; ulimit -n; id -u; pwd' },
    { user: NOBODY, umask: 0o7, limits: { nofile: 33 }, cwd: '/' },
  )
  if (stdout !== undefined) assert.equal(stdout, '0007\n33\n65534\n/\n')
})

test('variables that steer the loader reach the job, but no helper that is still root', async () => {
  const command = { shell: 'echo "$LD_PRELOAD $LOCPATH $PLAIN"' }
  const environment = { PATH, LD_PRELOAD: '/no/such/library.so', LOCPATH: '/no where', PLAIN: 'x' }
  if (!isRoot) return void (await runAs(command, { user: NOBODY, environment }))
  const { stdout, stderr } = await run(command, { user: NOBODY, environment })
  assert.equal(stdout, '/no/such/library.so /no where x\n')
  assert.equal(stderr.match(/cannot be preloaded/g)?.length, 1, stderr)
})

test('a limit that cannot be had is refused, for certain', async () => {
  await assert.rejects(launcher.launch(specOf(['true'], { limits: { nofile: 2 ** 31 } })), refused('EPERM'))
})

test('without setpriv a job of another user is refused', async () => {
  const path = process.env.PATH
  process.env.PATH = root
  try {
    await assert.rejects(
      launcher.launch(specOf(['true'], { user: NOBODY })),
      (error: unknown) => refused('ENOENT')(error) && /setpriv/.test((error as Error).message),
    )
  } finally {
    process.env.PATH = path
  }
})

test('what a helper cannot execute is refused, for certain', async () => {
  for (const [command, code] of [
    [['/no/such/file'], 'ENOENT'],
    [['/etc/passwd'], 'EACCES'],
  ] as const) {
    await assert.rejects(launcher.launch(specOf(command, { umask: 0o22 })), refused(code))
    await assert.rejects(
      launcher.launch(specOf(command, { user: NOBODY })),
      refused(isRoot || code === 'ENOENT' ? code : 'EPERM'),
    )
  }
})

test('a user who has too many processes is refused, for certain', async () => {
  const user = { uid: 65_432, gid: 65_432 }
  const first = isRoot ? await launcher.launch(specOf(['sleep', '60'], { user })) : undefined
  try {
    await assert.rejects(
      launcher.launch(specOf(['true'], { user, limits: { nproc: 0 } })),
      refused(isRoot ? 'EACCES' : 'EPERM'),
    )
  } finally {
    if (first !== undefined) process.kill(first.process.pid)
  }
  assert.deepEqual(await first?.exited, isRoot ? { kind: 'signal', signal: 'SIGTERM' } : undefined)
})

test('a command that shares its name with a helper counts as executed when that is not certain', async () => {
  const ran = await run({ shell: 'exit 127' }, { umask: 0o22 })
  assert.deepEqual(ran.exit, { kind: 'code', code: 127 })
  const started = await launcher.launch(specOf(['sh', '-c', 'sleep 0.1'], { umask: 0o22 }))
  assert.deepEqual(await started.exited, { kind: 'code', code: 0 })
  const doubtful = await launcher.launch(specOf(['sh'], { limits: { nofile: 2 ** 31 } }))
  assert.notDeepEqual(await doubtful.exited, { kind: 'code', code: 0 })
})
