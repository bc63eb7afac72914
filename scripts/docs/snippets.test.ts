/** Every code block of the documents does what it says: CONTRIBUTING.md tells by which words it is checked. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Command, parseCommandLine } from '@kron/cli'
import { parseJobFile } from '../../packages/host/src/job-file/parse.ts'
import { KROND } from '../../packages/krond/src/cli.ts'
import { KRONTAB } from '../../packages/krontab/src/program/program.ts'
import { runKronctl } from '../../packages/operator/src/kronctl/main.ts'
import { type Block, blocksOf, isAsShown } from './blocks.ts'
import { pages, root, textOf } from './pages.ts'
import { makePrograms, typeIn } from './sandbox.ts'

const work = mkdtempSync(join(tmpdir(), 'kron-snippets-'))
after(() => rmSync(work, { recursive: true, force: true }))
const programs = join(work, 'bin')
makePrograms(programs)

/** Made of help texts: what they show is the usage, and lines that only fit a host that has such jobs. */
const GENERATED: Readonly<Record<string, Command>> = {
  'docs/reference/krond.md': KROND,
  'docs/reference/krontab.md': KRONTAB,
}
const written = pages.filter(page => GENERATED[page] === undefined)

type Kind = Block['claim']['kind']
const having = (page: string, ...kinds: Kind[]): Block[] =>
  blocksOf(textOf(page)).filter(block => kinds.includes(block.claim.kind))

test('every block says how it is checked, or why it is not', () => {
  const unclear = written.flatMap(page => having(page, 'nothing').map(block => `${page}:${block.line}`))
  assert.deepEqual(unclear, [], 'see "Code in documents" in CONTRIBUTING.md')
})

test('a block that another test runs is known to that test', () => {
  for (const page of written)
    for (const { claim, line } of having(page, 'elsewhere')) {
      assert.ok(claim.kind === 'elsewhere' && existsSync(join(root, claim.test)), `${page}:${line}`)
      assert.ok(textOf(claim.test).includes(page), `${claim.test} does not name ${page}`)
    }
})

test('every line of a reference is one that its program takes', () => {
  for (const [page, program] of Object.entries(GENERATED)) {
    const lines = blocksOf(textOf(page)).flatMap(({ text }) => text.split('\n'))
    const calls = lines.filter(line => /^[^#].*/.test(line) && !line.includes('[options]'))
    assert.ok(calls.length > 5, page)
    for (const line of calls) {
      const call = line.split(/ [|>] /).find(part => part.startsWith(`${program.name} `))
      const words = call?.split(' ').slice(1) ?? []
      assert.equal(parseCommandLine(program, words).kind, 'run', `${page}: ${line}`)
    }
  }
})

test('every job has no mistakes', () => {
  for (const page of written)
    for (const { text, line } of having(page, 'jobs'))
      assert.deepEqual(parseJobFile(text, '/etc/krond.d/example.kron').faults, [], `${page}:${line}`)
})

test('every manifest is valid, and every alert asks for metrics that exist', async () => {
  const metrics = textOf('docs/reference/metrics.md')
  for (const page of written)
    for (const { text, line } of having(page, 'manifest')) {
      if (text.startsWith('- alert:')) {
        for (const [name] of text.matchAll(/\bkron_\w+/g))
          assert.ok(metrics.includes(`\`${name.replace(/_bucket$/, '')}\``), `${page}:${line}: ${name}`)
        continue
      }
      let said = ''
      const tell = (words: string): string => (said += words)
      const code = await runKronctl(['validate', '-f', '-'], {
        now: 0,
        out: tell,
        data: tell,
        error: tell,
        read: () => text,
      })
      assert.equal(code, 0, `${page}:${line}: ${said}`)
    }
})

describe('typed', { concurrency: 2 }, () => {
  for (const page of written) {
    const blocks = having(page, 'typed', 'shown')
    if (blocks.length === 0) continue
    test(`what ${page} says to type works, and prints what it shows`, async () => {
      const { code, said, shown } = await typeIn(join(work, page.replaceAll('/', '-')), programs, blocks)
      assert.equal(code, 0, said)
      for (const { command, output, printed } of shown)
        assert.ok(isAsShown(output, printed), `${command} prints:\n${printed}`)
    })
  }
})

/** It runs the programs of the pages it names: some wait for a signal. */
const others = textOf('packages/scheduler/src/documents.test.ts')

describe('programs', { concurrency: 2 }, () => {
  for (const page of written.filter(page => !others.includes(`'${page}'`)))
    for (const { text, line } of having(page, 'program'))
      test(`the program at ${page}:${line} runs`, async () => {
        // From within the repository, so that it finds the packages by their names.
        const args = ['--conditions=kron-source', '--input-type=module-typescript']
        const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'ignore', 'pipe'] })
        let errors = ''
        child.stderr.on('data', (data: Buffer) => (errors += data))
        child.stdin.end(text)
        const [code] = await once(child, 'close')
        assert.equal(code, 0, errors)
      })
})
