/**
 * Everything that a release publishes, in one directory: `npx node --conditions=kron-source packaging/release.ts [DIR]`. The workspaces must
 * have been built. The release workflow runs this, and publishes the files as they are.
 */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pack, root, version } from '../scripts/packages.ts'
import { buildDeb } from './deb/build.ts'
import { PRODUCTS } from './deb/products.ts'
import { billOfMaterials } from './executable/sbom.ts'
import { buildTarball } from './executable/tarball.ts'

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

/** A tag names the version of every package, or nothing may be published under it. */
export function checkTag(tag: string): void {
  const wrong = publishedPackages().filter(manifest => `v${manifest.version}` !== tag)
  if (tag === `v${version}` && wrong.length === 0) return
  const found = [`kron ${version}`, ...wrong.map(each => `${each.name} ${each.version}`)].join(', ')
  throw new Error(`the tag ${tag} is not the version of every package: ${found}`)
}

/** `sha256sum -c` reads it. */
export function sumsOf(directory: string): string {
  const files = readdirSync(directory).filter(name => name !== 'SHA256SUMS')
  return files
    .sort()
    .map(
      name =>
        `${createHash('sha256')
          .update(readFileSync(join(directory, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')
}

export async function buildRelease(into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  pack(
    publishedPackages().map(({ name }) => name.replace('@kron/', '')),
    into,
  )
  await buildTarball(into)
  for (const product of PRODUCTS) await buildDeb(into, product)
  writeFileSync(join(into, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(), undefined, 2)}\n`)
  writeFileSync(join(into, 'SHA256SUMS'), sumsOf(into))
}

if (import.meta.main) {
  const [into = join(root, 'var/release')] = process.argv.slice(2)
  const tag = process.env['RELEASE_TAG']
  if (tag !== undefined) checkTag(tag)
  await buildRelease(into)
  console.log(`the release is in ${into}`)
}
