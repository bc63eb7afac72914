/** Packs the workspaces as npm would publish them, and installs the result elsewhere. */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'

export const root = join(import.meta.dirname, '..')

export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** The standard output of npm. */
export const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, encoding: 'utf8' })

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
}

/** The packages for npm, in the order of their names without the scope. */
export function publishedPackages(): readonly Manifest[] {
  return globSync('packages/*/package.json', { cwd: root })
    .sort((a, b) => dirname(a).localeCompare(dirname(b)))
    .map(file => JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest)
    .filter(manifest => manifest.private !== true)
}

/** The tarballs of some packages, built before. */
export function pack(packages: readonly string[], into: string): string[] {
  mkdirSync(into, { recursive: true })
  const workspaces = packages.flatMap(name => ['-w', `@kron/${name}`])
  const packed = JSON.parse(npm(root, 'pack', '--json', '--pack-destination', into, ...workspaces)) as unknown
  const list = (Array.isArray(packed) ? packed : Object.values(packed as object)) as readonly {
    filename: string
  }[]
  return list.map(({ filename }) => {
    const tarball = join(into, filename.replace('@', '').replace('/', '-'))
    forPublishing(tarball, into)
    return tarball
  })
}

/** Takes the condition that names the sources out of a tarball: it does not ship them. */
function forPublishing(tarball: string, into: string): void {
  const work = mkdtempSync(join(into, 'pack-'))
  try {
    execFileSync('tar', ['-xzf', tarball, '-C', work])
    const manifest = join(work, 'package/package.json')
    const text = JSON.stringify(JSON.parse(readFileSync(manifest, 'utf8')), withoutSources, 2)
    writeFileSync(manifest, `${text}\n`)
    bundleModules(join(work, 'package'))
    execFileSync('tar', ['-czf', tarball, '-C', work, 'package'])
  } finally {
    rmSync(work, { recursive: true })
  }
}

interface Manifest {
  readonly exports?: Readonly<Record<string, { readonly import?: { readonly default: string } } | string>>
}

/** The ES modules of a package that has CommonJS beside them become a file per entry point: many small ones take long to load. */
function bundleModules(directory: string): void {
  const { exports = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
  const dist = join(directory, 'dist')
  const entryPoints = Object.values(exports)
    .flatMap(entry => (typeof entry === 'string' ? [] : (entry.import?.default ?? [])))
    .map(path => join(directory, path))
    .filter(path => path.startsWith(dist))
  if (entryPoints.length === 0) return
  const { outputFiles } = buildSync({
    entryPoints,
    outdir: dist,
    outbase: dist,
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  })
  for (const file of globSync('**/*.js', { cwd: dist, exclude: ['cjs/**'] })) rmSync(join(dist, file))
  for (const { path, text } of outputFiles) writeFileSync(path, text)
}

const withoutSources = (key: string, value: unknown): unknown => (key === 'kron-source' ? undefined : value)

/** An empty project with nothing but these tarballs and what they depend on. */
export function install(tarballs: readonly string[], into: string): void {
  mkdirSync(into, { recursive: true })
  writeFileSync(join(into, 'package.json'), '{ "private": true, "type": "module" }\n')
  npm(into, 'install', '--omit=dev', '--ignore-scripts', ...tarballs)
}
