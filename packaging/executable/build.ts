/** Builds the single executable: `npx node packaging/executable/build.ts [DIR] [x64|arm64]`. The console must have been built. */
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
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { root, version } from '../../scripts/packages.ts'

/** The machines that executables are built for; any of them can build all. */
export const ARCHITECTURES = ['x64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

/** That of this machine. */
export const own: Architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
const NODE = join(root, `node_modules/node-linux-${own}/bin/node`)
/** The texts that the executable carries; one may hold several programs. */
const PROGRAMS = ['krond', 'krontab', 'kronctl']
const SHIMS = join(root, 'packages/shim/bin')

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
    // A module of the bundle has no place on disk.
    define: { 'import.meta.url': '"file:///kron"', KRON_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  })
  return outfile
}

/** V8's flags of the executable. */
const FLAGS = ['--no-memory-reducer']
/**
 * V8 hashes, collects and compiles alike in every build, also on a busy machine, so that its code is the same bytes. These
 * take no part in the comparison of flags.
 */
const REPEATABLE = ['--random-seed=1', '--predictable']

/** The text of each program, and for this machine's architecture V8's code of it. */
async function programs(
  architecture: Architecture,
  node: string,
  work: string,
): Promise<Record<string, string>> {
  const compiler = await bundle('packaging/executable/code.ts', join(work, 'code.cjs'))
  const made: Record<string, string> = {}
  for (const name of PROGRAMS) {
    const text = await bundle(`packaging/executable/programs/${name}.ts`, join(work, `${name}.cjs`))
    made[`${name}.cjs`] = text
    // The code of another architecture cannot be made here; its executable compiles when it starts.
    if (architecture !== own) continue
    const code = join(work, `${name}.code`)
    const run = (flags: readonly string[], task: string): unknown =>
      execFileSync(node, [...flags, compiler, task, name, text, code], { env: {}, stdio: 'pipe' })
    run([...FLAGS, ...REPEATABLE], 'make')
    run(FLAGS, 'check')
    made[`${name}.code`] = code
  }
  return made
}

/** Makes the executable `kron` in a directory and tells its path. */
export async function buildExecutable(into: string, architecture: Architecture = own): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'kron-executable-'))
  try {
    const main = await bundle('packaging/executable/main.ts', join(work, 'kron.cjs'))
    // Symbols are for debuggers, and a quarter of the file.
    const node = join(work, 'node')
    copyFileSync(nodeOf(architecture, work), node)
    chmodSync(node, 0o755)
    execFileSync(stripOf(architecture), ['--strip-unneeded', node])
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
        // krond returns memory through Node's FFI, and Node would warn of that.
        execArgv: [...FLAGS, '--disable-warning=ExperimentalWarning'],
        execArgvExtension: 'none',
        assets: { ...assets(architecture), ...(await programs(architecture, node, work)) },
      }),
    )
    execFileSync(NODE, ['--build-sea', config], { cwd: work, stdio: 'pipe' })
    chmodSync(output, 0o755)
    return output
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** The pinned Node of an architecture: the installed one, or that of the registry, if it is the one of the lockfile. */
function nodeOf(architecture: Architecture, work: string): string {
  if (architecture === own) return NODE
  const name = `node-linux-${architecture}`
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>
  }
  const { version, integrity } = lock.packages[`node_modules/${name}`]!
  const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], {
    cwd: work,
    encoding: 'utf8',
  }).trim()
  const digest = createHash('sha512')
    .update(readFileSync(join(work, packed)))
    .digest('base64')
  if (integrity !== `sha512-${digest}`) throw new Error(`${name} is not the one of package-lock.json`)
  execFileSync('tar', ['-xzf', packed, 'package/bin/node'], { cwd: work })
  return join(work, 'package/bin/node')
}

const stripOf = (architecture: Architecture): string =>
  architecture === own ? 'strip' : `${architecture === 'arm64' ? 'aarch64' : 'x86-64'}-linux-gnu-strip`

function assets(architecture: Architecture): Record<string, string> {
  const built = join(root, 'packages/console/dist')
  const console = readdirSync(built, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name))
    .sort()
    .map(path => [`console${path.slice(built.length)}`, path])
  return { shim: shim(architecture), ...Object.fromEntries(console) }
}

/** The committed shim, if its bytes are those of SHA256SUMS. */
function shim(architecture: Architecture): string {
  const name = `kron-shim-linux-${architecture}`
  const sums = readFileSync(join(SHIMS, 'SHA256SUMS'), 'utf8')
  const digest = createHash('sha256')
    .update(readFileSync(join(SHIMS, name)))
    .digest('hex')
  if (!sums.includes(`${digest}  ${name}`)) throw new Error(`${name} is not the one of SHA256SUMS`)
  return join(SHIMS, name)
}

if (import.meta.main) {
  const wanted = ARCHITECTURES.find(each => each === process.argv[3]) ?? own
  console.log(await buildExecutable(process.argv[2] ?? join(root, 'var'), wanted))
}
