import { copyFileSync, mkdirSync } from 'node:fs'
import { build } from 'esbuild'

/** The path of krond as one file of JavaScript for Node 20, made of these sources, beside what they have installed. */
export async function bundleOf(sources: string): Promise<string> {
  const directory = `${sources}/node_modules/.cache/kron-node-20`
  mkdirSync(directory, { recursive: true })
  // The program finds its version one directory above itself.
  copyFileSync(`${sources}/packages/krond/package.json`, `${directory}/package.json`)
  const outfile = `${directory}/dist/krond.mjs`
  await build({
    entryPoints: [`${sources}/packages/krond/src/bin/krond.ts`],
    outfile,
    conditions: ['kron-source'],
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: ['koffi'],
    banner: {
      js: "import * as nodeModule from 'node:module'; const require = nodeModule.createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  return outfile
}
