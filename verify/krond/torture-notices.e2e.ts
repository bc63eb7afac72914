import assert from 'node:assert/strict'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import type { Wrong } from '../torture/krond/account.ts'
import { kill } from '../torture/krond/adversaries/kill.ts'
import { noDeeds } from '../torture/krond/adversary.ts'
import type { Arena } from '../torture/krond/arena.ts'
import { Battle } from '../torture/krond/battle.ts'
import { type Bundle, bundleKrond } from '../torture/krond/bundle.ts'

const MOST_ROUNDS = 60
let bundle: Bundle
let directory: string
before(async () => {
  bundle = await bundleKrond('src')
  directory = mkdtempSync(`${tmpdir()}/kron-notices-`)
})
after(() => {
  bundle.remove()
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const filesOf = ({ stateDir }: Arena, name: RegExp): string[] =>
  readdirSync(stateDir)
    .filter(each => name.test(each))
    .map(each => `${stateDir}/${each}`)
const STATE = /\.json$/
const JOURNAL = /^journal-/

/** The possible findings for a period that was forgotten before its child wrote: its state is gone or was changed. */
const FORGOTTEN: readonly Wrong[] = ['lost', 'duplicates', 'changedOutcomes']

/** The traces of a daemon that broke a promise, made by hand between two lives. */
const SABOTAGES: readonly (readonly [what: string, noticed: readonly Wrong[], (arena: Arena) => void])[] = [
  [
    'a child that runs twice',
    ['duplicates'],
    ({ directory }) => {
      const last = readFileSync(`${directory}/ran`, 'utf8').split('\n').at(-2)
      if (last !== undefined) appendFileSync(`${directory}/ran`, `${last}\n`)
    },
  ],
  [
    'intents that were never durable',
    FORGOTTEN,
    arena => {
      for (const path of filesOf(arena, JOURNAL)) rmSync(path)
    },
  ],
  [
    'state files that are gone',
    FORGOTTEN,
    arena => {
      for (const path of filesOf(arena, STATE)) rmSync(path)
    },
  ],
  [
    'a disk that went back in time',
    FORGOTTEN,
    ({ directory, stateDir }) => {
      const copy = `${directory}/copy`
      if (!existsSync(copy)) return cpSync(stateDir, copy, { recursive: true })
      rmSync(stateDir, { recursive: true })
      cpSync(copy, stateDir, { recursive: true })
    },
  ],
  [
    'a state file that is cut short',
    ['unreadable'],
    arena => {
      for (const path of filesOf(arena, STATE)) writeFileSync(path, readFileSync(path, 'utf8').slice(0, 60))
    },
  ],
  [
    'an outcome that is another one later',
    ['changedOutcomes', 'lost'],
    arena => {
      for (const path of filesOf(arena, STATE)) {
        const text = readFileSync(path, 'utf8')
        const changed = text.replaceAll('"Outcome": "executed"', '"Outcome": "missed"')
        // A wrong checksum would make it a corrupt file; a file without one is an older version's.
        writeFileSync(path, changed.replace(/,\s*"Checksum": "[0-9a-f]+"/, ''))
      }
    },
  ],
]

for (const [number, [what, expected, sabotage]] of SABOTAGES.entries()) {
  test(`the torture notices ${what}`, async t => {
    const battle = new Battle({
      adversary: kill,
      seed: what,
      rounds: MOST_ROUNDS,
      directory: `${directory}/arena-${number}`,
      daemon: { entry: bundle.entry, cache: `${directory}/cache` },
      deeds: noDeeds(),
      isOver: () => false,
      sabotage,
    })
    const found = await battle.fight()
    t.diagnostic(found[0]?.what ?? '')
    assert.ok(found.length > 0, 'nothing was noticed')
    const kinds = [...new Set(found.map(each => each.wrong))]
    assert.ok(
      kinds.every(each => expected.includes(each)),
      JSON.stringify(found),
    )
  })
}
