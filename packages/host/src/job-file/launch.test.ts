import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSpecOf } from './launch.ts'
import { parseJobFile } from './parse.ts'

const occasion = {
  executionId: 'id',
  nominalTime: '2026-03-01T02:00:00Z',
  chosenTime: '2026-03-01T02:04:09Z',
}
const identity = '/etc/krond.d/a.kron:web/job'
const spec = (
  fields: string,
  inherited: Record<string, string | undefined> = {},
  as?: Parameters<typeof runSpecOf>[3],
) => {
  const { entries, faults } = parseJobFile(
    `@daily name=web/job command="/bin/echo a b" ${fields}`,
    '/etc/krond.d/a.kron',
  )
  assert.deepEqual(faults, [])
  return runSpecOf(entries[0]!, occasion, inherited, as)
}
const KRON = {
  KRON_JOB: 'web/job',
  KRON_IDENTITY: identity,
  KRON_PERIOD_ID: occasion.nominalTime,
  KRON_NOMINAL_TIME: occasion.nominalTime,
  KRON_CHOSEN_TIME: occasion.chosenTime,
  KRON_EXECUTION_ID: 'id',
}

test('a plain entry is launched as it is', () => {
  assert.deepEqual(spec(''), {
    executionId: 'id',
    job: 'web/job',
    graceMs: 10_000,
    limits: {},
    command: ['/bin/echo', 'a', 'b'],
    environment: KRON,
    stdout: { kind: 'inherit' },
    stderr: { kind: 'inherit' },
  })
})

test('every setting finds its place', () => {
  const fields =
    'shell=true cwd=/srv umask=0027 nofile=64 nproc=8 fsize=1M core=0 nice=-5 timeout=90s grace=3s ' +
    'output_keep=4K stdout=file:/var/log/%N-%H%M.log stderr=syslog'
  assert.deepEqual(spec(fields), {
    executionId: 'id',
    job: 'web/job',
    nice: -5,
    timeoutMs: 90_000,
    graceMs: 3_000,
    keepBytes: 4_096,
    command: { shell: '/bin/echo a b' },
    environment: KRON,
    cwd: '/srv',
    umask: 0o27,
    limits: { nofile: 64, nproc: 8, fsize: 1_048_576, core: 0 },
    stdout: { kind: 'file', path: '/var/log/web-job-0204.log' },
    stderr: { kind: 'syslog' },
  })
})

const daemon = {
  PATH: '/sbin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  A: 'daemon',
  KRON_JOB: 'other',
  NOTIFY_SOCKET: '/run/x',
  STATE_DIRECTORY: '/var/lib/krond',
  GONE: undefined,
}
const ann = { uid: 1000, gid: 100, groups: [100, 998], name: 'ann', home: '/home/ann', shell: '/bin/bash' }
const account = { HOME: '/home/ann', USER: 'ann', LOGNAME: 'ann', SHELL: '/bin/sh' }

test("the environment is the daemon's without the service manager's variables, then the entry's, then Kron's", () => {
  const inherited = { PATH: '/sbin', HOME: '/root', LANG: 'C.UTF-8' }
  assert.deepEqual(spec('env=B=1', daemon).environment, { ...inherited, A: 'daemon', B: '1', ...KRON })
  assert.deepEqual(spec('inherit_env=false env=B=1', daemon).environment, { B: '1', ...KRON })
})

test("a user's job gets the environment and the groups that cron gives, unless it asks for the daemon's", () => {
  const { environment, user } = spec('user=ann env=A=entry', daemon, ann)
  const cron = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...account }
  assert.deepEqual(environment, { ...cron, A: 'entry', ...KRON })
  assert.deepEqual(user, { uid: 1000, gid: 100, groups: [100, 998] })
  const asked = spec('user=ann inherit_env=true', daemon, ann).environment
  assert.deepEqual(asked, { PATH: '/sbin', LANG: 'C.UTF-8', A: 'daemon', ...account, ...KRON })
})
