/** Enforces who may import whom: the table of docs/architecture.md. */
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'

interface Rules {
  readonly kron: readonly string[]
  /** Third-party packages, apart from what is listed here, are refused. */
  readonly npm: readonly string[]
  readonly node: boolean
}

const RULES: Readonly<Record<string, Rules>> = {
  core: { kron: [], npm: [], node: false },
  runtime: { kron: ['@kron/core'], npm: ['koffi'], node: true },
  scheduler: { kron: ['@kron/core', '@kron/runtime'], npm: ['pg'], node: true },
  host: { kron: ['@kron/core', '@kron/runtime'], npm: [], node: true },
  cli: { kron: ['@kron/core'], npm: [], node: true },
  krontab: { kron: ['@kron/core', '@kron/runtime', '@kron/host', '@kron/cli'], npm: [], node: true },
  krond: { kron: ['@kron/core', '@kron/runtime', '@kron/host', '@kron/cli'], npm: [], node: true },
  operator: {
    kron: ['@kron/core', '@kron/runtime', '@kron/cli'],
    npm: ['@kubernetes/client-node', 'yaml'],
    node: true,
  },
  console: { kron: ['@kron/core'], npm: ['preact'], node: false },
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"]+)['"]/g

/** What is wrong with one import, or undefined. */
function objection(pkg: string, rules: Rules, file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) {
    const target = relative(`packages/${pkg}/src`, join(dirname(file), specifier))
    return target.startsWith('..') ? 'leaves its package' : undefined
  }
  if (isBuiltin(specifier)) return rules.node ? undefined : "may not use Node's modules"
  if (specifier.startsWith('@kron/')) {
    return rules.kron.some(allowed => covers(allowed, specifier))
      ? undefined
      : 'is not in its row of the table'
  }
  return rules.npm.some(allowed => covers(allowed, specifier)) ? undefined : 'is not a dependency it may have'
}

const covers = (allowed: string, specifier: string): boolean =>
  specifier === allowed || specifier.startsWith(`${allowed}/`)

const objections: string[] = []
let files = 0
for (const file of globSync('packages/*/src/**/*.{ts,tsx}')) {
  if (/\.(test|test-support)\.tsx?$/.test(file)) continue
  const pkg = file.split(/[\\/]/)[1]!
  const rules = RULES[pkg]
  if (rules === undefined) {
    objections.push(`${file}: package ${pkg} has no row in the table`)
    continue
  }
  files++
  for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const specifier = (match[1] ?? match[2] ?? match[3])!
    const why = objection(pkg, rules, file, specifier)
    if (why !== undefined) objections.push(`${file}: ${specifier} ${why}`)
  }
}
for (const each of objections) console.error(`error: ${each}`)
if (objections.length === 0) console.log(`imports: ${files} files keep to the table`)
process.exit(objections.length === 0 ? 0 : 1)
