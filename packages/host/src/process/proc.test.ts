import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseProcessStat, readProcessStat } from './proc.ts'

test('a program may bear any name', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index + 4).join(' ')
  for (const program of ['sh', 'a b', ') S 1 2', '((', '']) {
    assert.deepEqual(parseProcessStat(`77 (${program}) R ${numbers}\n`), {
      pid: 77,
      state: 'R',
      group: 5,
      startTime: 22,
    })
  }
})

test('this process has a stat, a process that does not exist has none', () => {
  assert.equal(readProcessStat(process.pid)?.pid, process.pid)
  assert.equal(readProcessStat(2 ** 22 - 3), undefined)
})
