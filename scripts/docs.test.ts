import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { after, test } from 'node:test'
import { referencePage } from '@kron/runtime/cli'
import { KROND } from '../packages/krond/src/cli.ts'
import { parseJobFile } from '../packages/krontab/src/format/parse.ts'

/** The documents are true: links lead somewhere, job files are valid, and what is marked `sh test` runs. */
const root = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'kron-docs-'))
after(() => rmSync(work, { recursive: true }))

const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.md'], {
  cwd: root,
}).filter(page => !page.includes('node_modules'))
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const withoutCode = (text: string): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '')
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(match => match[1]!)

/** As on GitHub. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)].map(match =>
      match[1]!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

for (const page of pages) {
  test(`every link of ${page} leads somewhere`, () => {
    for (const [, target = ''] of withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : relative(root, join(root, dirname(page), path))
      assert.ok(existsSync(join(root, file)), `${target} is not there`)
      if (anchor !== undefined && file.endsWith('.md'))
        assert.ok(anchorsOf(read(file)).has(anchor), `no heading for ${target}`)
    }
  })
}

test('every job in the documents is valid', () => {
  for (const page of pages)
    for (const block of blocks(read(page), 'kron'))
      assert.deepEqual(parseJobFile(block, '/etc/krond.d/example.kron').faults, [], page)
})

test("krond's reference is made of its help texts", () => {
  const page = join(root, 'docs/reference/krond.md')
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, referencePage(KROND))
  assert.equal(readFileSync(page, 'utf8'), referencePage(KROND), 'run with UPDATE_GOLDEN=1')
})

test('every event of the log is in its reference', () => {
  const names = /export type EventName =\n((?: {2}\| '\w+'\n)+)/.exec(
    read('packages/krond/src/event.ts'),
  )?.[1]
  const reference = read('docs/reference/log-events.md')
  const events = [...names!.matchAll(/'(\w+)'/g)].map(match => match[1]!)
  assert.ok(events.length > 15)
  for (const event of events) assert.ok(reference.includes(`\`${event}\``), event)
})

/** krontab and krond from the sources, as the snippets call them. */
function programs(): string {
  const directory = join(work, 'bin')
  mkdirSync(directory, { recursive: true })
  for (const [name, source] of [
    ['krontab', 'packages/krontab/src/bin/krontab.ts'],
    ['krond', 'packages/krond/src/bin/krond.ts'],
  ] as const) {
    const path = join(directory, name)
    writeFileSync(
      path,
      `#!/bin/sh\nexec '${process.execPath}' --conditions=kron-source '${join(root, source)}' "$@"\n`,
    )
    chmodSync(path, 0o755)
  }
  return directory
}

for (const page of pages.filter(page => blocks(read(page), 'sh test').length > 0)) {
  test(`what ${page} says to type works`, () => {
    const home = join(work, page.replaceAll('/', '-'))
    mkdirSync(home)
    const script = blocks(read(page), 'sh test').join('\n')
    const env = {
      PATH: `${programs()}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      TZ: 'UTC',
    }
    const { status, stdout, stderr } = spawnSync('sh', ['-eu'], {
      cwd: home,
      input: script,
      encoding: 'utf8',
      env,
    })
    assert.equal(status, 0, `${stdout}\n${stderr}`)
  })
}
