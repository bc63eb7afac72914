import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** The torture runs the compiled packages, as users get them, not the sources. */
const compiledPackages: Plugin = {
  name: 'compiled packages',
  setup: bundle =>
    bundle.onResolve({ filter: /\/packages\/[a-z]+\/src\/.*\.ts$/ }, ({ path, resolveDir }) =>
      resolve(resolveDir, path).includes('/testkit/')
        ? undefined
        : { path: resolve(resolveDir, path).replace('/src/', '/dist/').replace(/\.ts$/, '.js') },
    ),
}

export interface Bundle {
  readonly entry: string
  remove(): void
}

/** The daemon in one file, because ten thousand lives begin with its loading. */
export async function bundleKrond(from: 'dist' | 'src'): Promise<Bundle> {
  // Inside the repository, where @kron/shim is found.
  const directory = mkdtempSync(at('node_modules/.kron-torture-'))
  chmodSync(directory, 0o755)
  // It lies where it would in its package, whose version it reads.
  copyFileSync(at('packages/krond/package.json'), `${directory}/package.json`)
  const common: BuildOptions = {
    outdir: `${directory}/dist`,
    bundle: true,
    platform: 'node',
    ...(from === 'dist' ? { plugins: [compiledPackages] } : { conditions: ['kron-source'] }),
    logLevel: 'warning',
  }
  // As delivered: CommonJS starts sooner.
  await build({
    ...common,
    entryPoints: { krond: at('verify/torture/krond/entry.ts') },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href" },
  })
  return {
    entry: `${directory}/dist/krond.cjs`,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
