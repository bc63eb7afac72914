import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { mutate } from './campaign.ts'
import { Mutant } from './mutant.ts'
import { type Site, withSwitches } from './sites.ts'

test('what tests at the edge would notice and these do not is listed, and nothing else', async () => {
  const { tried, survivors, unreached } = await mutate({
    sources: ['verify/mutate/example/fare.ts'],
    testFiles: ['verify/mutate/example/fare.checks.ts'],
    slowTests: [],
    every: 1,
    onProgress: () => {},
  })
  assert.equal(tried.length, 5)
  assert.deepEqual(survivors.map(({ change }) => change).sort(), ['6 to 7', '< to <='])
  assert.deepEqual(unreached, [])
})

test('tests that cannot be loaded end the check, which would find nothing without them', async () => {
  const campaign = {
    sources: ['verify/mutate/example/fare.ts'],
    testFiles: ['verify/mutate/example/unloadable.checks.ts'],
    slowTests: [],
    every: 1,
    onProgress: () => {},
  }
  await assert.rejects(mutate(campaign), /cannot be loaded/)
})

/** The values of an expression: as it is, and with each of its switches thrown. */
function valuesOf(expression: string): Record<string, unknown> {
  const sites: Site[] = []
  const mutant = new Mutant()
  Object.assign(globalThis, { kronMutant: mutant })
  const code = withSwitches(`globalThis.value = (${expression})`, 'x.ts', sites)
  const valueWith = (active: number): unknown => {
    mutant.active = active
    runInThisContext(`{${code}}`)
    return (globalThis as { value?: unknown }).value
  }
  return Object.fromEntries([
    ['', valueWith(-1)],
    ...sites.map(({ change }, site) => [change, valueWith(site)]),
  ])
}

test('each switch makes one thing wrong, and none changes nothing', () => {
  assert.deepEqual(valuesOf('(1 + 2) * 4 > 12'), {
    '': false,
    '> to >=': true,
    '* to /': false,
    '+ to -': false,
    '1 to 2': true,
    '2 to 3': true,
    '4 to 5': true,
    '12 to 13': false,
  })
  assert.deepEqual(valuesOf("true && 'a' + 'b'"), {
    '': 'ab',
    '&& to ||': true,
    'true to false': false,
  })
  assert.deepEqual(valuesOf('((x?: number) => { if (x === undefined) return 7; return x })()'), {
    '': 7,
    'early exit removed': undefined,
    '=== to !==': undefined,
    '7 to 8': 8,
  })
})
