import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobFileText } from '@kron/testkit/host/job-file/job-file'
import fc from 'fast-check'
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
