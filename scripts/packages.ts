/** Packs the workspaces as npm would publish them, and installs the result elsewhere. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** What npm says on standard output. */
export const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, encoding: 'utf8' })

/** The tarballs of some packages, built before. */
export function pack(packages: readonly string[], into: string): string[] {
  mkdirSync(into, { recursive: true })
  const workspaces = packages.flatMap(name => ['-w', `@kron/${name}`])
  const packed = JSON.parse(npm(root, 'pack', '--json', '--pack-destination', into, ...workspaces)) as unknown
  const list = (Array.isArray(packed) ? packed : Object.values(packed as object)) as readonly {
    filename: string
  }[]
  return list.map(({ filename }) => join(into, filename.replace('@', '').replace('/', '-')))
}

/** An empty project with nothing but these tarballs and what they depend on. */
export function install(tarballs: readonly string[], into: string): void {
  mkdirSync(into, { recursive: true })
  writeFileSync(join(into, 'package.json'), '{ "private": true, "type": "module" }\n')
  npm(into, 'install', '--omit=dev', '--ignore-scripts', ...tarballs)
}
