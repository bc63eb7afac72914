// Makes dist/krontab.cjs of the compiled modules: one file starts two to three times sooner.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The runtime stays outside: only some commands load it, and it finds its native parts by its own path. */
const runtimeOutside = {
  name: 'runtime-outside',
  setup(bundle) {
    bundle.onResolve({ filter: /^@kron\/runtime$/ }, ({ path }) => ({ path, external: true }))
  },
}

await build({
  entryPoints: [fileURLToPath(new URL('dist/bin/krontab.js', import.meta.url))],
  outfile: fileURLToPath(new URL('dist/krontab.cjs', import.meta.url)),
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [runtimeOutside],
  define: { 'import.meta.url': 'moduleUrl' },
  banner: { js: "const moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
})
