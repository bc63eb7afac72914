/** Builds the tarball of the single executable: `npx node packaging/executable/tarball.ts [DIR] [x64|arm64]`. Two builds are equal. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root, version } from '../../scripts/packages.ts'
import { sumsOf } from '../sums.ts'
import { ARCHITECTURES, type Architecture, buildExecutable, own } from './build.ts'
import { billOfMaterials } from './sbom.ts'

export async function buildTarball(into: string, architecture: Architecture = own): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'kron-tarball-'))
  try {
    const name = `kron-${version}-linux-${architecture}`
    const tree = join(work, name)
    await buildExecutable(tree, architecture)
    copyFileSync(join(root, 'packaging/executable/install.sh'), join(tree, 'install.sh'))
    copyFileSync(join(root, 'LICENSE'), join(tree, 'LICENSE'))
    copyFileSync(join(root, `node_modules/node-linux-${own}/LICENSE`), join(tree, 'LICENSE.node'))
    writeFileSync(join(tree, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(), undefined, 2)}\n`)
    writeFileSync(join(tree, 'SHA256SUMS'), sumsOf(tree))
    mkdirSync(into, { recursive: true })
    const tarball = resolve(into, `${name}.tar.gz`)
    const plain = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=go-w']
    execFileSync('tar', [...plain, '-I', 'gzip -n -1', '-cf', tarball, name], { cwd: work })
    return tarball
  } finally {
    rmSync(work, { recursive: true })
  }
}

if (import.meta.main) {
  const wanted = ARCHITECTURES.find(each => each === process.argv[3]) ?? own
  console.log(await buildTarball(process.argv[2] ?? join(root, 'var'), wanted))
}
