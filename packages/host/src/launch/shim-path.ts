import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { SystemError } from '@kron/core'
import { stateDirectory } from '../job-file/directories.ts'
import { embeddedFiles } from './embedded.ts'
import { placeShim } from './embedded-shim.ts'

/** The path used by packages of a distribution. */
const INSTALLED = '/usr/libexec/kron/kron-shim'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The kron-shim executable, from one of: KRON_SHIM; the single executable, which writes it into the state directory;
 * the npm packages; the distribution.
 */
export function shimPath(env: Variables = process.env, stateDir = ownStateDirectory(env)): string {
  const given = env['KRON_SHIM']
  if (given) return given
  const embedded = embeddedFiles()?.shim()
  if (embedded !== undefined) return isInstalled(embedded) ? INSTALLED : placeShim(embedded, stateDir)
  const found = [packaged(), INSTALLED].find(path => path !== undefined && existsSync(path))
  if (found !== undefined) return found
  throw new SystemError(`there is no kron-shim for ${process.platform}-${process.arch}`, {
    component: 'launch',
    operation: 'find kron-shim',
    hint: `install @kron/shim or the kron package, or name the program with KRON_SHIM; ${INSTALLED} was looked for`,
  })
}

const ownStateDirectory = (env: Variables): string => stateDirectory({ uid: process.getuid?.() ?? 0, env })

/** Whether the distribution's file is identical to the shim of this executable. */
const isInstalled = (bytes: Buffer): boolean => existsSync(INSTALLED) && readFileSync(INSTALLED).equals(bytes)

function packaged(): string | undefined {
  try {
    // A bundle of another package holds this module too, but only this package depends on the shim.
    const here = createRequire(import.meta.url).resolve('@kron/host')
    const manifest = createRequire(here).resolve('@kron/shim/package.json')
    return join(dirname(manifest), 'bin', `kron-shim-${process.platform}-${process.arch}`)
  } catch {
    return undefined
  }
}
