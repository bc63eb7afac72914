import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { BEGINNINGS, changedSince, codeOf, oldestOf, shippedFiles } from './age.ts'
import { CAMPAIGNS } from './campaigns.ts'

test('every campaign says where its code begins', () => {
  assert.deepEqual(Object.keys(BEGINNINGS).sort(), CAMPAIGNS.map(({ title }) => title).sort())
})

test('the files of a campaign are all shipped files that it loads, and no harness', async () => {
  const files = await shippedFiles(BEGINNINGS['krond, serve, shims and commands killed']!)
  for (const path of ['krond/src/driver/driver.ts', 'core/src/turn/turn.ts', 'shim/src/serve.c'])
    assert.ok(files.includes(`packages/${path}`), path)
  const simulated = await shippedFiles(BEGINNINGS['Simulation of krond']!)
  assert.ok(simulated.includes('packages/krond/src/driver/driver.ts'))
  assert.deepEqual(
    simulated.filter(path => path.includes('testkit')),
    [],
  )
})

test('comments, types and white space change no code, and an operator does', () => {
  const before = codeOf('a.ts', '// old\nexport const late = (at: number): boolean => at > 1\n')
  assert.equal(codeOf('a.ts', '/** new */\nexport const late = (at: any)  =>   at > 1\n'), before)
  assert.notEqual(codeOf('a.ts', 'export const late = (at: number): boolean => at >= 1\n'), before)
  const c = codeOf('a.c', 'int a; /* old */\n')
  assert.equal(codeOf('a.c', 'int  a; /* new\n comment */\n'), c)
  assert.notEqual(codeOf('a.c', 'int b; /* old */\n'), c)
})

test('the oldest commit is the one that the history has first, in any order of the record', t => {
  const directory = mkdtempSync(join(tmpdir(), 'kron-age-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd: directory,
      encoding: 'utf8',
    }).trim()
  git('init', '--quiet')
  const [first, second] = ['first', 'second'].map(message => {
    git('commit', '--quiet', '--allow-empty', '--message', message)
    return git('rev-parse', '--short', 'HEAD')
  })
  assert.equal(oldestOf([second!, `${first}+`], directory), `${first}+`)
  assert.equal(oldestOf([first!, second!], directory), first)
  assert.equal(oldestOf([first!, 'fffffff', second!], directory), 'fffffff', 'nobody knows how old it is')
  assert.equal(oldestOf([], directory), undefined)
})

test('every file is compared with the commit at which it was tested', () => {
  const files = ['packages/core/src/turn/turn.ts', 'packages/core/src/turn/plan.ts']
  const asked: string[] = []
  const commitOf = (path: string): string => {
    asked.push(path)
    return path === files[0] ? 'HEAD' : 'fffffff'
  }
  assert.ok(changedSince(commitOf, files).includes(files[1]!))
  assert.deepEqual(asked, files)
})
