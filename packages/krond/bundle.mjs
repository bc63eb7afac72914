// Bundles the daemon and its commands into dist/*.cjs: a few files load faster and use less memory than two hundred.
import { readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const dist = fileURLToPath(new URL('dist/', import.meta.url))
const commands = readdirSync(`${dist}commands`).flatMap(name => /^([\w-]+)\.js$/.exec(name)?.[1] ?? [])

/** The path of a module before bundling; the runtime finds its native parts relative to its own package. */
const placeOf = path =>
  path.startsWith(dist)
    ? `new URL(${JSON.stringify(`./${relative(dist, path)}`)},moduleUrl).href`
    : `require('node:url').pathToFileURL(require('node:module').createRequire(moduleUrl).resolve('@kron/runtime')).href`

const placed = {
  name: 'placed',
  setup(bundle) {
    bundle.onLoad({ filter: /dist\/.*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', placeOf(path))
        // Required instead of imported: Node's module loader alone would take some milliseconds.
        .replace(/import\('\.\/commands\/([\w-]+)\.js'\)/g, "Promise.resolve(require('./command-$1.cjs'))"),
    }))
    bundle.onResolve({ filter: /^\.\/command-/ }, ({ path }) => ({ path, external: true }))
  },
}

await build({
  entryPoints: [
    { in: `${dist}main.js`, out: 'krond' },
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
  plugins: [placed],
  banner: { js: "const moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
})
