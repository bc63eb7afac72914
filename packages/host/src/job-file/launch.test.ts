import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchSpecOf } from './launch.ts'
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
  as?: Parameters<typeof launchSpecOf>[3],
) => {
  const { entries, faults } = parseJobFile(
    `@daily name=web/job command="/bin/echo a b" ${fields}`,
    '/etc/krond.d/a.kron',
  )
  assert.deepEqual(faults, [])
  return launchSpecOf(entries[0]!, occasion, inherited, as)
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
    command: ['/bin/echo', 'a', 'b'],
    environment: KRON,
    stdout: { kind: 'inherit' },
    stderr: { kind: 'inherit' },
  })
})

test('every setting finds its place', () => {
  const fields =
    'shell=true cwd=/srv umask=0027 nofile=64 nproc=8 stdout=file:/var/log/%N-%H%M.log stderr=syslog'
  assert.deepEqual(spec(fields), {
    command: { shell: '/bin/echo a b' },
    environment: KRON,
    cwd: '/srv',
    umask: 0o27,
    limits: { nofile: 64, nproc: 8 },
    stdout: { kind: 'file', path: '/var/log/web-job-0204.log' },
    stderr: { kind: 'syslog', tag: 'web/job' },
  })
})

test("the environment is the daemon's, then the user's, then the entry's, then Kron's own", () => {
  const daemon = {
    PATH: '/bin',
    HOME: '/root',
    A: 'daemon',
    KRON_JOB: 'other',
    NOTIFY_SOCKET: '/run/x',
    GONE: undefined,
  }
  const ann = { uid: 1000, gid: 100, name: 'ann', home: '/home/ann', shell: '/bin/bash' }
  const user = { HOME: '/home/ann', USER: 'ann', LOGNAME: 'ann', SHELL: '/bin/bash' }
  const { environment, user: ids } = spec('env=A=entry', daemon, ann)
  assert.deepEqual(environment, { PATH: '/bin', ...user, A: 'entry', ...KRON })
  assert.deepEqual(ids, { uid: 1000, gid: 100 })
  assert.deepEqual(spec('inherit_env=false env=B=1', daemon, ann).environment, { ...user, B: '1', ...KRON })
})
