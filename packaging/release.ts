/**
 * Everything that a release publishes, in one directory: `npx node --conditions=kron-source packaging/release.ts [DIR]`. The workspaces must
 * have been built. The release workflow runs this, and publishes the files as they are.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pack, publishedPackages, root, version } from '../scripts/packages.ts'
import { buildDeb } from './deb/build.ts'
import { PRODUCTS } from './deb/products.ts'
import { billOfMaterials } from './executable/sbom.ts'
import { buildTarball } from './executable/tarball.ts'
import { sumsOf } from './sums.ts'

/** A tag names the version of every package, or nothing may be published under it. */
export function checkTag(tag: string): void {
  const wrong = publishedPackages().filter(manifest => `v${manifest.version}` !== tag)
  if (tag === `v${version}` && wrong.length === 0) return
  const found = [`kron ${version}`, ...wrong.map(each => `${each.name} ${each.version}`)].join(', ')
  throw new Error(`the tag ${tag} is not the version of every package: ${found}`)
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
