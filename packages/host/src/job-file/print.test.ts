import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobFileText } from '@kron/testkit/host/job-file/job-file'
import fc from 'fast-check'
import { FIELDS } from './fields.ts'
import { parseJobFile } from './parse.ts'
import { printEntry, printJobFile } from './print.ts'

const PATH = '/etc/krond.d/test.kron'

test('what is printed parses back to the same entries and prints the same again', () => {
  fc.assert(
    fc.property(jobFileText, text => {
      const first = parseJobFile(text, PATH)
      assert.deepEqual(first.faults, [])
      const printed = printJobFile(first.entries)
      const second = parseJobFile(printed, PATH)
      assert.deepEqual(second.faults, [])
      assert.equal(printJobFile(second.entries), printed)
      const unplaced = (entries: typeof first.entries) => entries.map(each => ({ ...each, line: 0 }))
      assert.deepEqual(unplaced(second.entries), unplaced(first.entries))
    }),
    { numRuns: 500 },
  )
})

test('the canonical line leaves out what is the default and quotes what must be quoted', () => {
  const line = `0 2 * * * @tz(UTC) @win(after,0s) @policy(deadline=600s) name=a command="/bin/echo \\"two words\\" \\\\" shell=false cwd=/srv grace=10s env=A= env=B="x y" umask=27 stdout=inherit description=""`
  const { entries } = parseJobFile(line, PATH)
  assert.equal(
    printEntry(entries[0]!),
    '0 2 * * * @policy(deadline=10m) name=a command="/bin/echo \\"two words\\" \\\\" cwd=/srv env=A= env=B="x y" umask=0027',
  )
})

/** One value for each key that is not its default. */
const VALUES: Readonly<Record<string, string>> = {
  name: 'a',
  command: '/bin/true',
  shell: 'true',
  user: 'root',
  group: '0',
  groups: '1,2',
  cwd: '/srv',
  env: 'A=1',
  inherit_env: 'false',
  umask: '0027',
  timeout: '1m',
  grace: '3s',
  stdout: 'discard',
  stderr: 'syslog',
  nofile: '9',
  nproc: '9',
  fsize: '9',
  core: '9',
  nice: '5',
  output_keep: '9',
  notify: 'mail:a@example.org',
  notify_on: 'failed',
  ping: 'https://example.org/x',
  description: 'text',
}

test('every key of job files is printed, because a reload compares printed jobs', () => {
  assert.deepEqual(Object.keys(VALUES).sort(), Object.keys(FIELDS).sort())
  for (const [key, value] of Object.entries(VALUES)) {
    const others = { name: 'a', command: '/bin/true', [key]: value }
    const line = `0 2 * * * ${Object.entries(others)
      .map(each => each.join('='))
      .join(' ')}`
    const { entries, faults } = parseJobFile(line, PATH)
    assert.deepEqual(faults, [], line)
    assert.match(printEntry(entries[0]!), new RegExp(`\\b${key}=`), `${key} is not printed`)
  }
})
