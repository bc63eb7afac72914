import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { krontab } from '@kron/testkit/krontab/run-krontab'
import { manyJobs } from '@kron/testkit/many-jobs'

const JOBS = 100_000
const here = mkdtempSync(join(tmpdir(), 'kron-large-'))
after(() => rmSync(here, { recursive: true }))
const file = join(here, 'many.kron')
writeFileSync(file, manyJobs(JOBS), { mode: 0o644 })
const words = ['--file', file, '--at', '2026-03-01T00:00:00Z', '--format', 'json']

test('a hundred thousand jobs are checked, each once', async () => {
  const { code, out } = await krontab(['lint', ...words])
  const { valid, errors, warnings } = JSON.parse(out)
  assert.deepEqual([code, valid, errors.length], [0, true, 0])
  assert.equal(warnings.length, JOBS / 1_000, 'one in a thousand has no deadline')
})

test('the next runs of a hundred thousand jobs are found', async () => {
  const { code, out } = await krontab(['next', ...words, '--count', '500'])
  const { count, decisions } = JSON.parse(out)
  assert.deepEqual([code, count, decisions.length], [0, 500, 500])
  const times: string[] = decisions.map((each: { chosenTime: string }) => each.chosenTime)
  assert.deepEqual(times, times.toSorted())
})

test('a day of a hundred thousand jobs is forecast, and no start is lost', async () => {
  const { code, out } = await krontab(['forecast', ...words])
  const { jobs, kron, plain, buckets } = JSON.parse(out)
  assert.deepEqual([code, jobs, buckets.length], [0, JOBS, 288])
  assert.equal(plain.total, JOBS)
  const sum = buckets.reduce((total: number, each: { kron: number }) => total + each.kron, 0)
  assert.equal(kron.total, sum)
  assert.ok(kron.peak < plain.peak / 4, `${kron.peak} beside ${plain.peak}`)
})

test('progress is shown on a terminal while long work lasts, and cleared', async () => {
  const { err } = await krontab(['next', '--file', file, '--count', '1'], { terminal: { progress: true } })
  // It depends on the machine whether a progress line is shown; if one was shown, it is erased at the end.
  assert.ok(err === '' || err.endsWith('\u001b[1G\u001b[K'))
})

test('a reader that has seen enough ends the program quietly', () => {
  const bin = fileURLToPath(new URL('bin/krontab.ts', import.meta.url))
  writeFileSync(join(here, 'some.kron'), manyJobs(2_000))
  const line = `"$0" --conditions=kron-source "$1" list --file "$2" --format json 2>"$3" | head -1; cat "$3"`
  const { stdout, stderr } = spawnSync(
    '/bin/sh',
    ['-c', line, process.execPath, bin, join(here, 'some.kron'), join(here, 'errors')],
    { encoding: 'utf8' },
  )
  assert.deepEqual([stdout, stderr], ['[\n', ''])
})
