/** Enforces who may import whom: the table of docs/architecture.md, which is read here, and the packages of others. */
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'

interface Row {
  readonly kron: readonly string[]
  /** Packages of Kron that may be imported for their types only. */
  readonly types: readonly string[]
}

/** Third-party packages that a package may import; others may import none. */
const NPM: Readonly<Record<string, readonly string[]>> = {
  calendar: ['ical.js'],
  operator: ['@kubernetes/client-node', 'yaml'],
  scheduler: ['pg', 'prom-client', '@opentelemetry/api', 'fastify', '@nestjs/common', '@nestjs/core'],
  console: ['preact'],
  testkit: ['fast-check'],
}
/** These packages may not use Node's modules: they are pure, or run in a browser. */
const WITHOUT_NODE: readonly string[] = ['core', 'console', 'shim']

/** The first and third column of the table: `| `krond` | the daemon | core, runtime, host | none |`. */
function readTable(page: string): ReadonlyMap<string, Row> {
  const [, table = ''] = page.split('| package | what it is | may import | runtime dependencies |\n')
  const lines = table.slice(0, table.indexOf('\n\n')).split('\n').slice(1)
  const rows = lines.map(line => line.split('|').map(cell => cell.trim()))
  const nameOf = (row: readonly string[]): string => /^`(\w+)`/.exec(row[1]!)![1]!
  const all = rows.map(nameOf)
  return new Map(
    rows.map(row => {
      const words = row[3]!.split(', ')
      const types = words.flatMap(word => /^types of (\w+)$/.exec(word)?.[1] ?? [])
      const kron = words[0] === 'all' ? all : words.filter(word => all.includes(word))
      return [nameOf(row), { kron, types }]
    }),
  )
}

const ROWS = readTable(readFileSync('docs/architecture.md', 'utf8'))

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"]+)['"]/g

/** The rule that an import breaks, or undefined. */
function objection(
  pkg: string,
  row: Row,
  file: string,
  specifier: string,
  onlyTypes: boolean,
): string | undefined {
  if (specifier.startsWith('.')) {
    // Test support reaches into the packages that it serves.
    if (pkg === 'testkit') return undefined
    const target = relative(`packages/${pkg}/src`, join(dirname(file), specifier))
    return target.startsWith('..') ? 'leaves its package' : undefined
  }
  if (isBuiltin(specifier)) return WITHOUT_NODE.includes(pkg) ? "may not use Node's modules" : undefined
  if (specifier.startsWith('@kron/')) {
    const allowed = onlyTypes ? [...row.kron, ...row.types] : row.kron
    const name = allowed.find(each => covers(`@kron/${each}`, specifier))
    if (name === undefined) return 'is not in its row of the table'
    // Within the repository every package is found; a published one finds only its dependencies.
    const needsNone = onlyTypes || isPrivate(pkg)
    if (!needsNone && !dependenciesOf(pkg).has(`@kron/${name}`)) return 'is not in its package.json'
    return isBuiltBefore(pkg, name) ? undefined : 'is not among the references of its tsconfig.json'
  }
  const isAllowed = (NPM[pkg] ?? []).some(allowed => covers(allowed, specifier))
  return isAllowed ? undefined : 'is not a dependency it may have'
}

interface Manifest {
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}
const manifestOf = (pkg: string): Manifest =>
  JSON.parse(readFileSync(`packages/${pkg}/package.json`, 'utf8')) as Manifest
const isPrivate = (pkg: string): boolean => manifestOf(pkg).private === true
const dependenciesOf = (pkg: string): ReadonlySet<string> =>
  new Set(Object.keys(manifestOf(pkg).dependencies ?? {}))

/** Whether `tsc -b` of a package alone also builds the other one; Vite builds the console from sources. */
function isBuiltBefore(pkg: string, name: string): boolean {
  if (pkg === 'console' || isPrivate(pkg)) return true
  const { references = [] } = JSON.parse(readFileSync(`packages/${pkg}/tsconfig.json`, 'utf8')) as {
    references?: readonly { readonly path: string }[]
  }
  return references.some(({ path }) => path === `../${name.split('/')[0]}`)
}

const covers = (allowed: string, specifier: string): boolean =>
  specifier === allowed || specifier.startsWith(`${allowed}/`)

const objections: string[] = []
let files = 0
for (const file of globSync('packages/*/src/**/*.{ts,tsx}')) {
  if (/\.test\.tsx?$/.test(file)) continue
  const pkg = file.split(/[\\/]/)[1]!
  const row = ROWS.get(pkg)
  if (row === undefined) {
    objections.push(`${file}: package ${pkg} has no row in the table`)
    continue
  }
  files++
  for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const specifier = (match[1] ?? match[2] ?? match[3])!
    const onlyTypes = /^\s*(?:import|export)\s+type\b/.test(match[0])
    const why = objection(pkg, row, file, specifier, onlyTypes)
    if (why !== undefined) objections.push(`${file}: ${specifier} ${why}`)
  }
}
for (const each of objections) console.error(`error: ${each}`)
if (objections.length === 0) console.log(`imports: ${files} files keep to the table`)
process.exit(objections.length === 0 ? 0 : 1)
