import assert from 'node:assert/strict'
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bootId, readProcessStat } from '@kron/host'

const here = realpathSync(mkdtempSync(join(tmpdir(), 'kron-run-')))
after(() => rmSync(here, { recursive: true }))
const bin = fileURLToPath(new URL('../bin/krontab.ts', import.meta.url))
const words = ['--conditions=kron-source', bin, 'run', 'job', '--file', 'a.kron', '--state-dir', 'state']

function write(fields: string): void {
  writeFileSync(join(here, 'a.kron'), `@daily name=job ${fields}\n`)
}

function run(fields: string, env: Record<string, string> = {}) {
  write(fields)
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: here,
    env: { PATH: '/usr/bin:/bin', ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('the exit status is that of the command, and 128 + n for signal n', () => {
  assert.equal(run('command=/bin/true').status, 0)
  assert.equal(run('shell=true command="exit 3"').status, 3)
  assert.equal(run('shell=true command="kill -9 $$"').status, 137)
})

test('a command that cannot be run, and a job that is not there, have statuses of their own', () => {
  assert.equal(run('command=/no/such/program').status, 127)
  assert.equal(run(`command=${here}`).status, 126)
  const { status, stderr } = run('command=/bin/true name2=x')
  assert.equal(status, 125)
  assert.match(stderr, /^error: a\.kron has 1 error:\n {2}a\.kron:1:\d+: unknown key "name2"/)
  assert.doesNotMatch(stderr, /\n\s+at /)
})

test('directory, environment, umask, limits and shell are those of the job', () => {
  const shown = 'pwd; umask; ulimit -n; echo $A $KRON_JOB $KRON_IDENTITY [$OUTSIDE]'
  const { stdout } = run(
    `shell=true cwd=/usr umask=0027 nofile=77 env=A="x y" inherit_env=false command="${shown}"`,
    { OUTSIDE: '1' },
  )
  assert.equal(stdout, `/usr\n0027\n77\nx y job ${here}/a.kron:job []\n`)
  assert.match(run('shell=true command="echo [$OUTSIDE]"', { OUTSIDE: '1' }).stdout, /^\[1\]\n$/)
})

test('output goes where the job sends it', () => {
  const { stdout, stderr } = run(
    `shell=true command="echo out; echo err >&2" stdout=file:${here}/%N-%Y.log stderr=discard inherit_env=false`,
  )
  assert.deepEqual([stdout, stderr], ['', ''])
  const year = new Date().getUTCFullYear()
  assert.equal(readFileSync(join(here, `job-${year}.log`), 'utf8'), 'out\n')
})

test('the timeout ends the whole group', () => {
  const { status, stderr } = run('shell=true command="sleep 60 & sleep 60" timeout=300ms grace=60s')
  assert.equal(status, 143)
  assert.match(stderr, /ran into its timeout/)
})

test('user and group are those of the job, which only root may change', () => {
  const { status, stdout, stderr } = run(
    'shell=true command="id -un; id -gn; echo $HOME $LOGNAME" user=nobody group=daemon cwd=/',
  )
  if (process.getuid?.() === 0) assert.equal(stdout, 'nobody\ndaemon\n/nonexistent nobody\n')
  else assert.deepEqual([status, /need root/.test(stderr)], [125, true])
})

/** A process that stands in for a daemon: the lock file of the state directory names it. */
async function standIn(t: TestContext, options: SpawnOptions = {}): Promise<void> {
  const script =
    "process.umask(0o077); process.chdir('/usr'); console.log('ready'); setInterval(() => {}, 1000)"
  const daemon = spawn(process.execPath, ['-e', script], {
    env: { FROM_DAEMON: 'yes', PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
  t.after(() => {
    daemon.kill('SIGKILL')
    rmSync(join(here, 'state'), { recursive: true })
  })
  await new Promise(resolve => daemon.stdout!.once('data', resolve))
  mkdirSync(join(here, 'state'))
  const { startTime } = readProcessStat(daemon.pid!)!
  writeFileSync(join(here, 'state/lock'), `${daemon.pid} ${startTime} ${bootId()}\n`)
}

const shows = 'shell=true command="echo $FROM_DAEMON [$FROM_SHELL]; umask; pwd" umask=0022 cwd=/tmp'

test('the surroundings of a running daemon are taken over', async t => {
  await standIn(t)
  const { stdout } = run('shell=true command="echo $FROM_DAEMON [$FROM_SHELL]; umask; pwd"', {
    FROM_SHELL: '1',
  })
  assert.equal(stdout, 'yes []\n0077\n/usr\n')
})

test('the surroundings of a process of another user are not believed, whatever a lock file says', async t => {
  if (process.getuid?.() !== 0) return t.skip('only root can run a process as somebody else')
  await standIn(t, { uid: 65_534, gid: 65_534 })
  const { stdout } = run(shows, { FROM_SHELL: '1' })
  assert.equal(stdout, '[1]\n0022\n/tmp\n')
})

test('a PID that now belongs to another process is not believed', async t => {
  await standIn(t)
  const lock = join(here, 'state/lock')
  const [pid, start, boot] = readFileSync(lock, 'utf8').split(' ')
  writeFileSync(lock, `${pid} ${Number(start) - 1} ${boot}`)
  assert.equal(run(shows, { FROM_SHELL: '1' }).stdout, '[1]\n0022\n/tmp\n')
})
