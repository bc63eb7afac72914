import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExecutionError } from '@kron/core'
import { type RunSpec, specFields } from './run-spec.ts'

const SPEC: RunSpec = {
  executionId: 'e-1',
  job: 'a',
  command: ['/bin/echo', 'one', 'two three'],
  environment: { A: '1', B: 'x=y' },
  stdout: { kind: 'inherit' },
  stderr: { kind: 'discard' },
}

test('a plain spec has what it needs and nothing more', () => {
  assert.deepEqual(specFields(SPEC), [
    ...['kron-run/1', 'execution=e-1', 'job=a', 'arg=/bin/echo', 'arg=one', 'arg=two three'],
    ...['env=A=1', 'env=B=x=y', 'stdout=inherit', 'stderr=discard'],
  ])
})

test('every setting has its field, in the units of the shim', () => {
  const fields = specFields({
    ...SPEC,
    command: { shell: 'echo $A' },
    cwd: '/srv',
    user: { uid: 7, gid: 8, groups: [8, 9] },
    umask: 0o27,
    nice: -5,
    limits: { nofile: 64, nproc: 8, fsize: 1_024, core: 0 },
    stdin: 'input',
    stdout: { kind: 'file', path: '/var/log/a.log' },
    stderr: { kind: 'syslog' },
    keepBytes: 0,
    timeoutMs: 1.5,
    graceMs: 500,
    lastStartBootMs: 12_345.6,
  })
  const wanted = [
    ...[
      'arg=/bin/sh',
      'arg=-c',
      'arg=echo $A',
      'cwd=/srv',
      'uid=7',
      'gid=8',
      'groups=8,9',
      'umask=27',
      'nice=-5',
    ],
    ...['nofile=64', 'nproc=8', 'fsize=1024', 'core=0', 'stdin=input', 'stdout=file:/var/log/a.log'],
    ...['stderr=syslog', 'keep=0', 'timeout=1', 'grace=500', 'last=12345000000'],
  ]
  for (const field of wanted) assert.ok(fields.includes(field), field)
})

test('a spec that cannot be sent is refused before anything is started', () => {
  const bad: readonly [Partial<RunSpec>, RegExp][] = [
    [{ command: [] }, /the command is empty/],
    [{ command: ['/bin/echo', 'a\0b'] }, /a NUL byte in arg/],
    [{ environment: { 'A=B': '1' } }, /"A=B" cannot name a variable/],
    [{ environment: { A: 'x'.repeat(5_000_000) } }, /longer than 4 MiB/],
  ]
  for (const [change, message] of bad)
    assert.throws(
      () => specFields({ ...SPEC, ...change }),
      (error: unknown) => error instanceof ExecutionError && message.test(error.message),
    )
})
