/** Builds the Debian package: `node packaging/deb/build.ts [DIR]`. The workspaces must have been built. */
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
import { completionScript, SHELLS } from '@kron/runtime/cli'
import { KROND } from '../../packages/krond/src/cli.ts'
import { KRONTAB } from '../../packages/krontab/src/program/program.ts'
import { manPages } from '../../scripts/man-pages.ts'
import { install, pack, root, version } from '../../scripts/packages.ts'
import { architecture, controlFiles } from './control.ts'

const PACKAGES = ['core', 'runtime', 'krontab', 'krond', 'console']
const PAGES = ['krond.8', 'krontab.1', 'krontab.5']
const COMPLETIONS = {
  bash: (name: string) => `usr/share/bash-completion/completions/${name}`,
  zsh: (name: string) => `usr/share/zsh/vendor-completions/_${name}`,
  fish: (name: string) => `usr/share/fish/vendor_completions.d/${name}.fish`,
} as const

/** Builds the package into a directory and tells its path. */
export function buildDeb(into: string): string {
  const work = mkdtempSync(join(tmpdir(), 'kron-deb-'))
  try {
    const tree = join(work, 'tree')
    placeModules(tree, work)
    placeFiles(tree)
    writeControl(tree)
    mkdirSync(into, { recursive: true })
    const deb = join(into, `kron_${version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', tree, deb], { stdio: 'pipe' })
    return deb
  } finally {
    rmSync(work, { recursive: true })
  }
}

function placeModules(tree: string, work: string): void {
  const home = join(tree, 'usr/lib/kron')
  install(pack(PACKAGES, join(work, 'packed')), home)
  // Its paths are those of the machine that built it.
  rmSync(join(home, 'package-lock.json'))
  rmSync(join(home, 'node_modules/.package-lock.json'))
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n')
  mkdirSync(join(tree, 'usr/bin'), { recursive: true })
  for (const program of ['krond', 'krontab'])
    symlinkSync(`../lib/kron/node_modules/.bin/${program}`, join(tree, 'usr/bin', program))
}

function placeFiles(tree: string): void {
  const copy = (from: string, to: string): void => {
    mkdirSync(dirname(join(tree, to)), { recursive: true })
    copyFileSync(join(root, from), join(tree, to))
  }
  const write = (to: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(tree, to)), { recursive: true })
    writeFileSync(join(tree, to), text)
  }
  copy('packaging/systemd/krond.service', 'usr/lib/systemd/system/krond.service')
  copy('packaging/systemd/sysusers.conf', 'usr/lib/sysusers.d/kron.conf')
  copy('packaging/systemd/tmpfiles.conf', 'usr/lib/tmpfiles.d/kron.conf')
  copy('packaging/systemd/hardened.conf', 'usr/share/doc/kron/examples/hardened.conf')
  copy('packaging/krond.conf', 'etc/krond.conf')
  copy('LICENSE', 'usr/share/doc/kron/copyright')
  mkdirSync(join(tree, 'etc/krond.d'))
  const pages = manPages()
  for (const page of PAGES)
    write(`usr/share/man/man${page.at(-1)}/${page}.gz`, gzipSync(pages.get(page)!, { level: 9 }))
  for (const shell of SHELLS)
    for (const program of [KROND, KRONTAB])
      write(
        COMPLETIONS[shell](program.name),
        completionScript(shell, program, { job: 'krontab list --names' }),
      )
}

function writeControl(tree: string): void {
  const files = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name))
    .sort()
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  const sums = files.map(
    file => `${createHash('md5').update(readFileSync(file)).digest('hex')}  ${relative(tree, file)}\n`,
  )
  mkdirSync(join(tree, 'DEBIAN'))
  const control = { ...controlFiles(version, Math.ceil(bytes / 1024)), md5sums: sums.join('') }
  for (const [name, text] of Object.entries(control)) {
    writeFileSync(join(tree, 'DEBIAN', name), text)
    chmodSync(join(tree, 'DEBIAN', name), text.startsWith('#!') ? 0o755 : 0o644)
  }
}

if (import.meta.main) console.log(buildDeb(process.argv[2] ?? join(root, 'var')))
