/** The completion scripts of the packages, in the real shells. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { placeDocuments } from './build.ts'
import { PRODUCTS } from './products.ts'
import { completingShells } from './shells.ts'

const work = mkdtempSync(join(tmpdir(), 'kron-completions-'))
after(() => rmSync(work, { recursive: true }))
const home = join(work, 'home')
const tree = join(work, 'tree')
for (const product of PRODUCTS) placeDocuments(tree, product)

/** Whom the scripts ask for jobs. */
mkdirSync(join(home, 'bin'), { recursive: true })
for (const [name, text] of [
  ['krontab', 'printf "backup\\nrotate\\n"'],
  ['kubectl', 'printf "shop   report\\n"'],
] as const) {
  writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(home, 'bin', name), 0o755)
}
writeFileSync(join(home, 'jobs.kron'), '')

const LINES = [
  ['krontab exp', 'explain'],
  ['krontab lint --stri', '--strict'],
  ['krontab lint --format js', 'json'],
  ['krontab lint --file jo', 'jobs.kron'],
  ['krontab explain bac', 'backup'],
  ['krond rel', 'reload'],
  ['krond start --log-format te', 'text'],
  ['kronctl vali', 'validate'],
  ['kronctl explain sh', 'shop/report'],
] as const

const env = { HOME: home, PATH: `${home}/bin:/usr/local/bin:/usr/bin:/bin`, TERM: 'dumb', LANG: 'C.UTF-8' }
for (const shell of completingShells(tree, env)) {
  if (shell === undefined) {
    console.log('a shell is neither installed nor can it be fetched: its completions are not tested')
    continue
  }
  test(`${shell.name} completes commands, options, values, files and jobs`, () => {
    for (const [line, expected] of LINES) assert.equal(shell.complete(line), expected, line)
  })
}
