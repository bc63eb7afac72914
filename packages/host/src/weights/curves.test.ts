import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Steps, weightsOf } from '@kron/core'
import { parseJobFile } from '../job-file/parse.ts'
import { PathTrust } from '../job-file/path-trust.ts'
import { Curves } from './curves.ts'

function stage(t: TestContext) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'kron-curves-')))
  t.after(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'weights'), { mode: 0o755 })
  const path = join(directory, 'weights/x.csv')
  const put = (text: string): void => writeFileSync(path, text, { mode: 0o644 })
  const job = '0 2 * * * @win(after,2h) @dist(weights,file=x) name=a command=/bin/true\n'
  const [entry] = parseJobFile(job, join(directory, 'a.kron')).entries
  return { directory, path, put, entry: entry! }
}

test('a job gets the curve beside its file', t => {
  const { put, entry } = stage(t)
  put('00:00,1\n12:00,2\n')
  const { curve } = weightsOf(new Curves().entry(entry).schedule)!
  assert.equal(curve!.digest.length, 64)
  assert.deepEqual((curve!.steps as Steps).weights, [1, 2])
})

test('a file that is missing, too large, of binary data or no file at all gives a reason and no error', t => {
  const { directory, path, put } = stage(t)
  const find = () => new Curves().find(directory, 'x')
  assert.equal(find().curve.steps, 'missing')
  for (const [text, reason] of [
    ['00:00,1\n'.repeat(1_400_000), /larger than 10 MB/],
    ['\0\xff\xfe'.repeat(1_000), /a NUL byte/],
    [',\n'.repeat(4_000_000), /expected start,weight/],
  ] as const) {
    put(text)
    const { curve, problem } = find()
    assert.equal(curve.steps, 'unreadable')
    assert.match(problem!.message, reason)
  }
  rmSync(path)
  mkdirSync(path)
  assert.match(find().problem!.message, /it is a directory/)
})

test('a curve that others could change is not used where trust is asked for', t => {
  const { directory, path, put } = stage(t)
  put('00:00,1\n')
  chmodSync(path, 0o666)
  const trust = new PathTrust({ uid: process.getuid!(), gid: process.getgid!(), followSymlinks: false })
  assert.match(new Curves(trust).find(directory, 'x').problem!.message, /x\.csv: everybody may write/)
  assert.equal(new Curves().find(directory, 'x').problem, undefined)
})
