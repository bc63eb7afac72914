import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { conformancePages } from './docs/conformance.ts'
import { root, textOf } from './docs/pages.ts'
import { ENGINE_AND_KROND, SCHEDULER, specPage } from './docs/spec.ts'

const names = [...ENGINE_AND_KROND, ...SCHEDULER]
const pages = names.map(specPage)
const clauses = pages.flatMap(page => page.clauses)
const MEND = 'npx node scripts/docs/conformance.ts'

test('every test that a clause of the specification names exists', () => {
  assert.ok(clauses.length > 200, `${clauses.length} clauses`)
  const missing = clauses.flatMap(({ id, tests, files }) => [
    ...tests
      .filter(({ path, name }) => !hasTest(path, name))
      .map(({ path, name }) => `${id}: ${path} › ${name}`),
    ...files.filter(file => !existsSync(join(root, file))).map(file => `${id}: ${file}`),
  ])
  assert.deepEqual(missing, [], 'rename them in docs/spec')
})

test('every clause has a proof, except for definitions of words', () => {
  const bare = clauses.filter(each => each.section !== 'Words' && each.tests.length + each.files.length === 0)
  assert.deepEqual(
    bare.map(each => each.id),
    [],
  )
})

test('clauses are numbered one after the other', () => {
  for (const { name, clauses: own } of pages) {
    const numbers = own.map(({ id }) => {
      assert.ok(id.startsWith(`${name} `), id)
      return id
        .slice(name.length + 1)
        .split('.')
        .map(Number) as [number, number]
    })
    numbers.reduce(
      ([section, clause], [nextSection, nextClause]) => {
        const follows =
          nextSection === section ? nextClause === clause + 1 : nextSection > section && nextClause === 1
        assert.ok(follows, `${name} ${nextSection}.${nextClause} follows ${section}.${clause}`)
        return [nextSection, nextClause]
      },
      [0, 0],
    )
  }
})

test('the conformance tables are those of the specification', () => {
  for (const [path, text] of conformancePages()) assert.equal(textOf(path), text, `${path} is old: ${MEND}`)
})

test('every section and page of the specification that code cites exists', () => {
  const sources = globSync(
    ['packages/*/src/**/*.{ts,tsx}', 'docs/adr/*.md', 'docs/guides/*.md', 'verify/**/*.ts'],
    {
      cwd: root,
    },
  )
  const unknown = sources.flatMap(path => {
    const text = readFileSync(join(root, path), 'utf8')
    const cited = [...text.matchAll(/\b([A-Z]+(?:-[A-Z]+)?)\.md\b/g)].map(match => match[1]!)
    const files = cited.filter(name => !existsSync(join(root, 'docs/spec', `${name}.md`)) && !KNOWN.has(name))
    const titles = [...text.matchAll(/test\('(SPEC|STATE|EXECUTION|ERROR-MODEL) ([^:']+):/g)]
    const sections = titles
      .filter(([, name, title]) => !hasSection(name!, title!))
      .map(([, name, title]) => `${name} ${title}`)
    return [...files, ...sections].map(each => `${path}: ${each}`)
  })
  assert.deepEqual(unknown, [])
})

/** Pages of the repository outside of the specification. */
const KNOWN = new Set(['PROTOCOL', 'README', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY', 'LICENSE'])

/** A title may name a part of a section (`Invariants 4`, `Failure Guarantees 2 and 3`); a number alone is an invariant. */
const hasSection = (name: string, title: string): boolean =>
  specPage(name).sections.some(section =>
    section
      .split(', ')
      .some(
        each =>
          title === each || title.startsWith(`${each} `) || (each === 'Invariants' && /^\d$/.test(title)),
      ),
  )

function hasTest(path: string, name: string): boolean {
  if (!existsSync(join(root, path))) return false
  const text = readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'")
  return ["'", '"', '`'].some(quote => text.includes(`test(${quote}${name}${quote}`))
}
