import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { referencePage } from '@kron/testkit/cli/reference-page'
import { KROND } from '../packages/krond/src/cli.ts'
import { pages, textOf as read, root } from './docs/pages.ts'

/** Links lead somewhere, and references tell all there is. */
const withoutCode = (text: string): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '')

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

interface Link {
  readonly target: string
  readonly file: string
  readonly anchor: string | undefined
}

/** The links of a page to others of the repository. */
const linksOf = (page: string): Link[] =>
  [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(match => match[1]!)
    .filter(target => !/^[a-z]+:/.test(target))
    .map(target => {
      const [path = '', anchor] = target.split('#')
      return { target, file: path === '' ? page : join(dirname(page), path), anchor }
    })

for (const page of pages) {
  test(`every link of ${page} leads somewhere`, () => {
    for (const { target, file, anchor } of linksOf(page)) {
      assert.ok(existsSync(join(root, file)), `${target} is not there`)
      if (anchor !== undefined && file.endsWith('.md'))
        assert.ok(anchorsOf(read(file)).has(anchor), `no heading for ${target}`)
    }
  })
}

test('every document can be found from the index', () => {
  const found = new Set(['docs/README.md'])
  // The loop also visits the pages that it adds.
  for (const page of found) for (const { file } of linksOf(page)) if (pages.includes(file)) found.add(file)
  const wanted = pages.filter(page => page.startsWith('docs/') && !page.startsWith('docs/adr/'))
  assert.deepEqual(
    wanted.filter(page => !found.has(page)),
    [],
    'no link leads to them from docs/README.md',
  )
})

test("krond's reference is made of its help texts", () => {
  const page = join(root, 'docs/reference/krond.md')
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, referencePage(KROND))
  assert.equal(readFileSync(page, 'utf8'), referencePage(KROND), 'run with UPDATE_GOLDEN=1')
})

test('every event of the log is in its reference', () => {
  const reference = read('docs/reference/log-events.md')
  const sources = ['daemon', 'execution', 'scheduling'].map(each =>
    read(`packages/krond/src/log/${each}-events.ts`),
  )
  const names = sources
    .join('')
    .matchAll(/(?:'(?:daemon|configuration|state|scheduler|execution)'|Component),\s*'(\w+)'/g)
  const events = new Set([...names].map(match => match[1]!))
  assert.ok(events.size > 25)
  for (const event of events) assert.ok(reference.includes(`\`${event}\``), event)
})

test('every metric of krond is in its reference', () => {
  const reference = read('docs/reference/metrics.md')
  const names = read('packages/krond/src/http/metrics.ts').matchAll(/'((?:kron|process)_\w+)'/g)
  const metrics = new Set([...names].map(match => match[1]!))
  assert.ok(metrics.size > 25)
  for (const metric of metrics) assert.ok(reference.includes(`\`${metric}\``), metric)
})
