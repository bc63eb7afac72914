import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { DISTRIBUTION_PARAMETERS, parseScheduleHead } from '@kron/core'
import { readInputs } from './corpus.ts'
import { instrumented } from './instrument.ts'
import { loadTarget, TARGETS } from './target.ts'
import { watch } from './watch.ts'

/** Every input that the fuzzer has kept is tried again: findings stay fixed, and branches stay reached. */
for (const name of Object.keys(TARGETS)) {
  test(`${name}: no kept input breaks a promise`, async () => {
    const target = await loadTarget(name)
    for (const input of [...target.seeds, ...readInputs('findings', name), ...readInputs('corpus', name)])
      await target.run(input)
  })
}

/** Where each word of a schedule may stand. */
const PLACES = [
  '@tz(WORD)',
  '@win(WORD,2h)',
  '@dist(WORD)',
  '@dist(WORD,file=tariff)',
  ...Object.keys(DISTRIBUTION_PARAMETERS).map(name => `@dist(${name},WORD)`),
  '@seed(WORD)',
  '@seed(stable,WORD)',
  '@policy(WORD)',
  '@policy(concurrency=WORD)',
  '@only(WORD)',
]

test('the parser knows every word in the dictionary for schedules', async () => {
  const { tokens } = await loadTarget('schedule')
  const words = tokens.filter(each => /^[A-Za-z]/.test(each))
  const isKnown = (word: string): boolean =>
    PLACES.some(place => parseScheduleHead(`@daily ${place.replace('WORD', word)}`).schedule !== undefined)
  assert.ok(words.length > 20)
  assert.deepEqual(
    words.filter(each => !isKnown(each)),
    [],
  )
})

const attack = (name: string, options: { most?: number; patience?: number }) =>
  watch({
    module: new URL(`broken/${name}.ts`, import.meta.url).href,
    known: [],
    seed: 1,
    time: 120_000,
    ...options,
  })

test('a parser that breaks on one rare word is found out branch by branch, and the word is cut to the bone', async () => {
  const { crashes } = await attack('crash', { most: 500_000 })
  assert.deepEqual(
    crashes.map(({ input }) => input),
    ['#/@%~!'],
  )
  assert.match(crashes[0]!.stack, /the parser is broken/)
})

test('a parser that hangs is found out with the input it hangs on', async () => {
  const { hung } = await attack('hang', { patience: 1 })
  assert.match(hung!, /a{25}/)
})

test('a parser that takes all memory is found out with its input', async () => {
  const { crashes } = await attack('memory', { patience: 100 })
  assert.match(crashes[0]!.input, /99/)
  assert.match(crashes[0]!.stack, /the thread died/)
})

test('a module that reports its branches does what it did before', () => {
  const source = `
    const f = (a: number): string => a > 1 ? 'many' : a && 'one' || 'none'
    function g(x: number) { if (x) return [x, ({ y: x })]; else { x = 1 } for (const i of [1]) x += i; return x }
    switch (g(0)) { case 2: globalThis.result = [f(0), f(1), f(2), g(3), g(0)] }
  `
  const taken: number[] = []
  Object.assign(globalThis, {
    kronBranches: { seen: [], take: (branch: number) => void taken.push(branch) },
  })
  runInThisContext(instrumented(source, { total: 0 }))
  assert.deepEqual((globalThis as { result?: unknown }).result, ['none', 'one', 'many', [3, { y: 3 }], 2])
  assert.ok(taken.length >= 8, `${taken.length} branches`)
})
