import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ask, casesOf, report } from './kit.js'

const KIT = fileURLToPath(new URL('kit.js', import.meta.url))
const ENGINE = fileURLToPath(new URL('engine.js', import.meta.url))
const node = process.execPath

/** An engine of a few lines: `answer` is the body of a function of `request`. */
const engine = (answer: string): string[] => [
  node,
  '-e',
  `require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
     const request = JSON.parse(line)
     const hello = { id: 0, protocol: 'kron-conformance/1', engine: 'a stranger' }
     const answer = request => { ${answer} }
     const reply = request.kind === 'hello' ? hello : answer(request)
     if (reply !== undefined) console.log(typeof reply === 'string' ? reply : JSON.stringify({ id: request.id, ...reply }))
   })`,
]

const some = casesOf(['periods']).slice(0, 3)

const run = (...args: string[]) => spawnSync(node, [KIT, ...args], { encoding: 'utf8' })

test('the engine conforms when it is asked as a program', () => {
  const { status, stdout, stderr } = run('--', node, '--conditions=kron-source', ENGINE)
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trimEnd().split('\n').at(-1), '@kron/core: conforms')
})

test('an engine that answers otherwise differs, and one that cannot says so', async () => {
  const wrong = await ask(engine('return { output: { prev: null, next: [] } }'), some)
  assert.deepEqual(
    wrong.judged.map(each => each.verdict),
    ['differs', 'differs', 'differs'],
  )
  const lines = report(await ask(engine('return { unsupported: true }'), some))
  assert.deepEqual(lines, [
    'periods: 0 of 3 agree, 3 not supported',
    'a stranger: conforms in the supported kinds',
  ])
})

test('an engine that breaks the protocol is told what was expected', async () => {
  await assert.rejects(ask(engine("return 'hello there'"), some), /not a line of JSON: hello there/)
  await assert.rejects(
    ask(engine('return { id: 7 }'), some),
    /expected the answer to request 1, found \{"id":7/,
  )
  await assert.rejects(ask(engine('process.exit(3)'), some), /ended with 3 before it had answered/)
  await assert.rejects(ask(engine('return undefined'), some, 0.2), /no answer for 0\.2 s/)
  await assert.rejects(ask(['/no/such/program'], some), /cannot run \/no\/such\/program/)
})

test('the command ends with 1 if answers differ, and with 2 if nothing could be asked', () => {
  const wrong = run('--only', 'periods', '--', ...engine("return { output: 'no' }"))
  assert.equal(wrong.status, 1)
  assert.match(wrong.stdout, /^a stranger: \d+ differ$/m)
  assert.equal(run().status, 2)
  assert.equal(run('--only', 'nothing', '--', node).status, 2)
})
