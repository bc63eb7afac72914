import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoff } from './backoff.ts'
import { SerialQueue } from './serial-queue.ts'

test('a serial queue runs work in order, and a failure stops only itself', async () => {
  const queue = new SerialQueue()
  const steps: string[] = []
  const slow = queue.run(async () => {
    steps.push('slow begins')
    await new Promise(resolve => setTimeout(resolve, 5))
    steps.push('slow ends')
  })
  const failing = queue.run(() => {
    steps.push('failing')
    throw new Error('no')
  })
  const last = queue.run(() => steps.push('last'))
  await assert.rejects(failing, /no/)
  await Promise.all([slow, last, queue.idle()])
  assert.deepEqual(steps, ['slow begins', 'slow ends', 'failing', 'last'])
})

test('a backoff doubles from the first pause to the longest, and stays there', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 1_000].map(failures => backoff(failures, 100, 1_000)),
    [100, 200, 400, 800, 1_000, 1_000],
  )
})
