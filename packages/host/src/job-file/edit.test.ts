import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobFileText } from '@kron/testkit/host/job-file/job-file'
import fc from 'fast-check'
import { removeEntry } from './edit.ts'
import { parseJobFile } from './parse.ts'

const PATH = '/etc/krond.d/test.kron'

test('removing an entry keeps every other line byte for byte', () => {
  fc.assert(
    fc.property(jobFileText, fc.nat(), (text, pick) => {
      const { entries } = parseJobFile(text, PATH)
      if (entries.length === 0) return
      const { name, line } = entries[pick % entries.length]!
      const lines = text.split('\n')
      const left = removeEntry(text, PATH, name)
      const lastWithoutNewline = line === lines.length
      assert.equal(
        left,
        lastWithoutNewline
          ? text.slice(0, text.lastIndexOf('\n') + 1)
          : lines.toSpliced(line - 1, 1).join('\n'),
      )
    }),
  )
})

test('an entry that is not there is not removed', () => {
  assert.equal(removeEntry('@daily name=a command=/x\n', PATH, 'b'), undefined)
})

test('faulty lines, odd line ends and a byte order mark stay as they are', () => {
  const text = '\uFEFF# top\r\n@daily name=a command=/x\r\nnonsense\n\n@daily name=b command=/y'
  assert.equal(removeEntry(text, PATH, 'a'), '\uFEFF# top\r\nnonsense\n\n@daily name=b command=/y')
  assert.equal(removeEntry(text, PATH, 'b'), '\uFEFF# top\r\n@daily name=a command=/x\r\nnonsense\n\n')
})
