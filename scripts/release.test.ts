import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { checkTag } from '../packaging/release.ts'
import { sumsOf } from '../packaging/sums.ts'
import { publishedPackages, root, version } from './packages.ts'

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly run?: string; readonly uses?: string }[] }>
  >
}

test('every script that a workflow runs exists, and every action has a version', () => {
  const files = globSync('.github/workflows/*.yml', { cwd: root })
  assert.equal(files.length, 2)
  for (const file of files) {
    const { jobs } = parse(readFileSync(join(root, file), 'utf8')) as Workflow
    const steps = Object.values(jobs).flatMap(job => job.steps)
    for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /^[\w./-]+@v\d+$/)
    const scripts = steps.flatMap(({ run = '' }) => run.match(/[\w./-]+(?:\.ts|\/run)\b/g) ?? [])
    assert.ok(scripts.length > 0, file)
    for (const script of scripts) assert.ok(existsSync(join(root, script)), `${file}: ${script}`)
  }
})

test('only the tag of the version of every package may be released', () => {
  checkTag(`v${version}`)
  assert.throws(() => checkTag('v999.0.0'), /the tag v999\.0\.0 is not the version of every package: kron /)
  assert.ok(publishedPackages().length > 8)
})

test('the sums are those that sha256sum checks', t => {
  const directory = mkdtempSync(join(tmpdir(), 'kron-sums-'))
  t.after(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'b.tgz'), 'two')
  writeFileSync(join(directory, 'a.deb'), 'one')
  writeFileSync(join(directory, 'SHA256SUMS'), sumsOf(directory))
  assert.equal(
    execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: directory, encoding: 'utf8' }),
    'a.deb: OK\nb.tgz: OK\n',
  )
})
