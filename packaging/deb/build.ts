/** Builds the Debian packages: `npx node --conditions=kron-source packaging/deb/build.ts [DIR]`. The workspaces must have been built. */
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
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { completionScript, SHELLS } from '@kron/cli'
import { manPages } from '../../scripts/man-pages.ts'
import { install, pack, root, version } from '../../scripts/packages.ts'
import { buildExecutable } from '../executable/build.ts'
import { architecture, MAINTAINER } from './control.ts'
import { PRODUCTS, type Product } from './products.ts'

const COMPLETIONS = {
  bash: (name: string) => `usr/share/bash-completion/completions/${name}`,
  zsh: (name: string) => `usr/share/zsh/vendor-completions/_${name}`,
  fish: (name: string) => `usr/share/fish/vendor_completions.d/${name}.fish`,
} as const

/** Builds a package into a directory and tells its path. */
export async function buildDeb(into: string, product: Product): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'kron-deb-'))
  try {
    const tree = join(work, 'tree')
    await placeContents(tree, work, product)
    placeDocuments(tree, product)
    for (const [from, to] of Object.entries(product.files)) copy(from, join(tree, to))
    compressDocuments(tree)
    for (const directory of product.directories) mkdirSync(join(tree, directory), { recursive: true })
    writeControl(tree, product)
    mkdirSync(into, { recursive: true })
    const deb = join(into, `${product.name}_${version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', tree, deb], { stdio: 'pipe' })
    return deb
  } finally {
    rmSync(work, { recursive: true })
  }
}

async function placeContents(tree: string, work: string, product: Product): Promise<void> {
  if ('packages' in product.contents) return placeModules(tree, work, product, product.contents.packages)
  const bin = join(tree, 'usr/bin')
  await buildExecutable(bin)
  for (const name of product.contents.links) symlinkSync('kron', join(bin, name))
}

function placeModules(
  tree: string,
  work: string,
  { name, programs }: Product,
  packages: readonly string[],
): void {
  const home = join(tree, 'usr/lib', name)
  install(pack(packages, join(work, 'packed')), home)
  // Its paths are those of the machine that built it.
  rmSync(join(home, 'package-lock.json'))
  rmSync(join(home, 'node_modules/.package-lock.json'))
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n')
  mkdirSync(join(tree, 'usr/bin'), { recursive: true })
  for (const program of programs)
    symlinkSync(`../lib/${name}/node_modules/.bin/${program.name}`, join(tree, 'usr/bin', program.name))
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(join(root, from), to)
  chmodSync(to, to.includes('/libexec/') ? 0o755 : 0o644)
}

/** As Debian's policy asks: man pages, changelog and long texts are compressed, with no time in them. */
function compressDocuments(tree: string): void {
  const files = readdirSync(join(tree, 'usr/share'), { recursive: true, withFileTypes: true })
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    if (!file.isFile() || !/(?:\/man\d\/[^/]*\.\d|LICENSE\.node)$/.test(path)) continue
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
    rmSync(path)
  }
}

export function placeDocuments(tree: string, { name, programs, pages, jobs }: Product): void {
  const write = (to: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(tree, to)), { recursive: true })
    writeFileSync(join(tree, to), text)
  }
  copy('packaging/deb/copyright', join(tree, `usr/share/doc/${name}/copyright`))
  write(`usr/share/doc/${name}/changelog.gz`, gzipSync(changelogOf(name), { level: 9 }))
  const all = manPages()
  for (const page of pages)
    write(`usr/share/man/man${page.at(-1)}/${page}.gz`, gzipSync(all.get(page)!, { level: 9 }))
  for (const shell of SHELLS)
    for (const program of programs)
      write(COMPLETIONS[shell](program.name), completionScript(shell, program, jobs))
}

const changelogOf = (name: string): string =>
  `${name} (${version}) unstable; urgency=medium\n\n  * Release ${version}; CHANGELOG.md of the project tells the changes.\n\n -- ${MAINTAINER}  ${CHANGED}\n`

/** The date is fixed, so that two builds are equal. */
const CHANGED = 'Thu, 01 Jan 2026 00:00:00 +0000'

function writeControl(tree: string, product: Product): void {
  const files = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name))
    .sort()
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  const sums = files.map(
    file => `${createHash('md5').update(readFileSync(file)).digest('hex')}  ${relative(tree, file)}\n`,
  )
  mkdirSync(join(tree, 'DEBIAN'))
  const control = { ...product.control(version, Math.ceil(bytes / 1024)), md5sums: sums.join('') }
  for (const [name, text] of Object.entries(control)) {
    writeFileSync(join(tree, 'DEBIAN', name), text)
    chmodSync(join(tree, 'DEBIAN', name), text.startsWith('#!') ? 0o755 : 0o644)
  }
}

if (import.meta.main)
  for (const product of PRODUCTS) console.log(await buildDeb(process.argv[2] ?? join(root, 'var'), product))
