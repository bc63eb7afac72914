/** Enforces who may import whom: the table of docs/architecture.md. */
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'

interface Rules {
  readonly kron: readonly string[]
  /** Packages of Kron that may be imported for their types only. */
  readonly types?: readonly string[]
  /** Third-party packages, apart from what is listed here, are refused. */
  readonly npm: readonly string[]
  readonly node: boolean
}

/** A package without a file yet has its row all the same. */
const RULES: Readonly<Record<string, Rules>> = {
  core: { kron: [], npm: [], node: false },
  runtime: { kron: ['core'], npm: [], node: true },
  host: { kron: ['core', 'runtime'], npm: [], node: true },
  shim: { kron: [], npm: [], node: false },
  cli: { kron: ['core'], npm: [], node: true },
  krond: { kron: ['core', 'runtime', 'host', 'cli', 'calendar'], npm: [], node: true },
  calendar: { kron: ['core'], npm: ['ical.js'], node: true },
  krontab: { kron: ['core', 'runtime', 'host', 'cli', 'calendar'], npm: [], node: true },
  operator: {
    kron: ['core', 'runtime', 'cli', 'calendar'],
    npm: ['@kubernetes/client-node', 'yaml'],
    node: true,
  },
  scheduler: {
    kron: ['core', 'runtime'],
    npm: ['pg', 'prom-client', '@opentelemetry/api', 'fastify', '@nestjs/common', '@nestjs/core'],
    node: true,
  },
  console: { kron: ['core'], types: ['host'], npm: ['preact'], node: false },
  testkit: {
    kron: [
      'core',
      'runtime',
      'host',
      'cli',
      'krond',
      'calendar',
      'krontab',
      'operator',
      'scheduler',
      'console',
      'testkit',
    ],
    npm: ['fast-check'],
    node: true,
  },
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"]+)['"]/g

/** The rule that an import breaks, or undefined. */
function objection(
  pkg: string,
  rules: Rules,
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
  if (isBuiltin(specifier)) return rules.node ? undefined : "may not use Node's modules"
  if (specifier.startsWith('@kron/')) {
    const allowed = onlyTypes ? [...rules.kron, ...(rules.types ?? [])] : rules.kron
    const name = allowed.find(each => covers(`@kron/${each}`, specifier))
    if (name === undefined) return 'is not in its row of the table'
    // Within the repository every package is found; a published one finds only its dependencies.
    const needsNone = onlyTypes || isPrivate(pkg)
    if (!needsNone && !dependenciesOf(pkg).has(`@kron/${name}`)) return 'is not in its package.json'
    return isBuiltBefore(pkg, name) ? undefined : 'is not among the references of its tsconfig.json'
  }
  return rules.npm.some(allowed => covers(allowed, specifier)) ? undefined : 'is not a dependency it may have'
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
  const rules = RULES[pkg]
  if (rules === undefined) {
    objections.push(`${file}: package ${pkg} has no row in the table`)
    continue
  }
  files++
  for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const specifier = (match[1] ?? match[2] ?? match[3])!
    const onlyTypes = /^\s*(?:import|export)\s+type\b/.test(match[0])
    const why = objection(pkg, rules, file, specifier, onlyTypes)
    if (why !== undefined) objections.push(`${file}: ${specifier} ${why}`)
  }
}
for (const each of objections) console.error(`error: ${each}`)
if (objections.length === 0) console.log(`imports: ${files} files keep to the table`)
process.exit(objections.length === 0 ? 0 : 1)
