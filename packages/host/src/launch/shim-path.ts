import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { SystemError } from '@kron/core'

/** Where packages of a distribution put it. */
const INSTALLED = '/usr/libexec/kron/kron-shim'

/** The kron-shim executable: named by KRON_SHIM, beside the npm packages, or installed by the distribution. */
export function shimPath(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = env['KRON_SHIM']
  if (given) return given
  const found = [packaged(), INSTALLED].find(path => path !== undefined && existsSync(path))
  if (found !== undefined) return found
  throw new SystemError(`there is no kron-shim for ${process.platform}-${process.arch}`, {
    component: 'launch',
    operation: 'find kron-shim',
    hint: `install @kron/shim or the kron package, or name the program with KRON_SHIM; ${INSTALLED} was looked for`,
  })
}

function packaged(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('@kron/shim/package.json')
    return join(dirname(manifest), 'bin', `kron-shim-${process.platform}-${process.arch}`)
  } catch {
    return undefined
  }
}
