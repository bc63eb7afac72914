import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BEGINNINGS, codeOf, shippedFiles } from './age.ts'
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
