import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { collected } from './collected-tests.ts'
import { Mutant } from './mutant.ts'
import { type Site, withSwitches } from './sites.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COLLECTOR = new URL('collected-tests.ts', import.meta.url).href

export interface Loaded {
  readonly mutant: Mutant
  readonly sites: readonly Site[]
  readonly tests: typeof collected
  /** Places passed while the modules were loaded. */
  readonly reachedByLoading: ReadonlySet<number>
}

/** Loads test files so that the sources they test have switches; the order, and so each number, is always the same. */
export async function load(
  sources: readonly string[],
  testFiles: readonly string[],
  active = -1,
): Promise<Loaded> {
  const mutant = new Mutant()
  mutant.active = active
  const reachedByLoading = new Set<number>()
  mutant.reached = reachedByLoading
  Object.assign(globalThis, { kronMutant: mutant })
  const sites: Site[] = []
  const wanted = new Set(sources)
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:test' ? { url: COLLECTOR, shortCircuit: true } : next(specifier, context),
    load(url, context, next) {
      const loaded = next(url, context)
      const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : ''
      if (!wanted.has(file)) return loaded
      return { ...loaded, format: 'module', source: withSwitches(String(loaded.source), file, sites) }
    },
  })
  // Every source once, in order, whoever imports it later.
  for (const file of [...sources, ...testFiles]) await import(pathToFileURL(ROOT + file).href)
  mutant.reached = undefined
  return { mutant, sites, tests: collected, reachedByLoading }
}
