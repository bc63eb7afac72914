// Bundles the entry point and each command into dist/*.cjs: a few files start three times faster than a hundred.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const dist = fileURLToPath(new URL('dist/', import.meta.url))
const commands = readdirSync(`${dist}commands`).flatMap(name => /^([\w-]+)\.js$/.exec(name)?.[1] ?? [])

/** Commands are loaded when they are called; so is the runtime, which has native parts. */
const loadedLater = {
  name: 'loaded-later',
  setup(bundle) {
    // Required instead of imported: Node's module loader alone would take some milliseconds.
    bundle.onLoad({ filter: /dist\/main\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /import\('\.\/commands\/([\w-]+)\.js'\)/g,
        "Promise.resolve(require('./command-$1.cjs'))",
      ),
    }))
    bundle.onResolve({ filter: /^(\.\/command-.*|@kron\/runtime)$/ }, ({ path }) => ({
      path,
      external: true,
    }))
  },
}

await build({
  entryPoints: [
    { in: `${dist}bin/krontab.js`, out: 'krontab' },
    ...commands.map(name => ({ in: `${dist}commands/${name}.js`, out: `command-${name}` })),
  ],
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [loadedLater],
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
})
