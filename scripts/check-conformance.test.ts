import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

interface Claim {
  readonly table: string
  readonly rule: string
  readonly path: string
  readonly name: string
}

/** The rows `| rule | path › test name |` of a document; a cell may hold several tests, one to a line. */
function claimsOf(table: string): Claim[] {
  const rows = readFileSync(table, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('|') && line.includes(' › '))
  return rows.flatMap(row => {
    const [rule, tests] = row.slice(1, -1).split(/(?<!\\)\|/) as [string, string]
    return tests.split('<br>').map(each => {
      // Names may have a › of their own.
      const [path = '', ...name] = each.replaceAll('`', '').split(' › ')
      return { table, rule: rule.trim(), path: path.trim(), name: name.join(' › ').trim() }
    })
  })
}

const tables = globSync(['docs/conformance.md', 'docs/conformance/*.md'])
const claims = tables.flatMap(claimsOf)
const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

test('every test that a conformance table names exists', () => {
  assert.ok(claims.length > 100, `${claims.length} claims in ${tables.join(', ')}`)
  const missing = claims.filter(({ path, name }) => {
    const text = textOf(path).replaceAll("\\'", "'")
    return !["'", '"', '`'].some(quote => text.includes(`test(${quote}${name}${quote}`))
  })
  assert.deepEqual(
    missing.map(({ table, rule, path, name }) => `${table}: ${rule}: ${path} › ${name}`),
    [],
  )
})
