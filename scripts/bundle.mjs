// Bundles each program and each of its commands into dist/*.cjs: a few files load faster and use less memory than hundreds.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const PROGRAMS = { krontab: 'bin/krontab.js', krond: 'main.js' }

/** A command becomes a bundle of its own, so that it is loaded only when it is called. */
const commandsApart = {
  name: 'commands-apart',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\/commands\/[\w-]+\.js$/ }, ({ path, kind }) =>
      kind === 'dynamic-import'
        ? { path: path.replace(/^\.\/commands\/(.*)\.js$/, './command-$1.cjs'), external: true }
        : undefined,
    )
  },
}

for (const [program, entry] of Object.entries(PROGRAMS)) {
  const dist = fileURLToPath(new URL(`../packages/${program}/dist/`, import.meta.url))
  const commands = readdirSync(`${dist}commands`).flatMap(name => /^([\w-]+)\.js$/.exec(name)?.[1] ?? [])
  await build({
    entryPoints: [
      { in: `${dist}${entry}`, out: program },
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
    plugins: [commandsApart],
    // A command is required, not imported: Node's loader of ES modules alone takes milliseconds.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
  })
}
