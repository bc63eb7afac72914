/** The CommonJS half of the packages that have one: a file per entry point, and declarations that count as CommonJS. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const PACKAGES = ['core', 'runtime', 'scheduler']

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly require?: { readonly default: string } }>>
}

async function bundle(dist: string, cjs: string, entry: string, entries: readonly string[]): Promise<void> {
  await build({
    entryPoints: [join(dist, entry)],
    outfile: join(cjs, entry),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // Jest's sandbox has `require`, but no `import()`.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
    plugins: [otherEntries(dist, entry, entries)],
    logLevel: 'warning',
  })
}

/** Code of another entry point is required from there: a class must not exist twice. */
const otherEntries = (dist: string, entry: string, entries: readonly string[]): Plugin => ({
  name: 'other-entries',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\.?\// }, ({ path, importer }) => {
      if (importer === '') return undefined
      const target = join(dirname(importer), path).slice(dist.length + 1)
      if (target === entry || !entries.includes(target)) return undefined
      const up = '../'.repeat(entry.split('/').length - 1)
      return { path: `${up === '' ? './' : up}${target}`, external: true }
    })
  },
})

function copyDeclarations(dist: string, cjs: string): void {
  for (const file of globSync('**/*.d.ts', { cwd: dist, exclude: ['cjs/**'] })) {
    mkdirSync(dirname(join(cjs, file)), { recursive: true })
    // Older versions of TypeScript know only the extension that is there at run time.
    const text = readFileSync(join(dist, file), 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'")
    writeFileSync(join(cjs, file), text)
  }
}

for (const name of PACKAGES) {
  const dist = join(import.meta.dirname, '../packages', name, 'dist')
  const cjs = join(dist, 'cjs')
  const { exports } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as Manifest
  const entries = Object.values(exports).flatMap(({ require }) =>
    require === undefined ? [] : [require.default.replace('./dist/cjs/', '')],
  )
  rmSync(cjs, { recursive: true, force: true })
  for (const entry of entries) await bundle(dist, cjs, entry, entries)
  writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n')
  copyDeclarations(dist, cjs)
}
