import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes a shim into `<state>/bin`, named by its hash, and returns its path. An existing file is used only if its
 * bytes are right and no other user can change it; the check is made before every use.
 */
export function placeShim(bytes: Buffer, stateDir: string): string {
  const digest = hashOf(bytes)
  const directory = join(stateDir, 'bin')
  const path = join(directory, `kron-shim-${digest.slice(0, 16)}`)
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  if (isIntact(path, digest)) return path
  const beside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(beside, bytes, { flag: 'wx', mode: 0o755 })
    // The umask may have removed bits.
    chmodSync(beside, 0o755)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  return path
}

function isIntact(path: string, digest: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  const isOurs = stats.isFile() && (stats.mode & 0o7777) === 0o755 && stats.uid === (process.getuid?.() ?? 0)
  return isOurs && hashOf(readFileSync(path)) === digest
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
