import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { hasCode } from '@kron/runtime'

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants
const LONGEST = 16

/** Writes our PID. Only a PID file of our own user is replaced; anything else in its place is left alone. */
export function writePidFile(path: string): void {
  const found = look(path)
  if (found !== undefined && found.objection !== undefined)
    throw new Error(`${path} ${found.objection}, and was left alone: name another with --pid-file`)
  const beside = `${path}.${randomBytes(6).toString('hex')}`
  const descriptor = openSync(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    writeSync(descriptor, `${process.pid}\n`)
    fchmodSync(descriptor, 0o644)
    if (found !== undefined) return renameSync(beside, path)
    // link(2) never replaces a file: if another daemon was quicker, it keeps the name.
    linkSync(beside, path)
    unlinkSync(beside)
  } catch (error) {
    unlinkSync(beside)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Removes the PID file if it is ours and names this process. */
export function removePidFile(path: string): void {
  const found = look(path)
  if (found?.objection === undefined && found?.pid === process.pid) rmSync(path, { force: true })
}

/** The file at this path; undefined if there is none. */
function look(path: string): { readonly pid?: number; readonly objection?: string } | undefined {
  let descriptor: number
  try {
    // Opening a FIFO or a device must not block.
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    if (hasCode(error, 'ELOOP')) return { objection: 'is a symbolic link' }
    return { objection: `cannot be looked at (${(error as NodeJS.ErrnoException).code})` }
  }
  try {
    return judge(fstatSync(descriptor), () => {
      const bytes = Buffer.alloc(LONGEST)
      return bytes.toString('utf8', 0, readSync(descriptor, bytes))
    })
  } finally {
    closeSync(descriptor)
  }
}

function judge(stats: Stats, read: () => string): { readonly pid?: number; readonly objection?: string } {
  if (!stats.isFile()) return { objection: 'is not a regular file' }
  if (stats.uid !== process.getuid?.()) return { objection: `belongs to user ${stats.uid}` }
  const text = read()
  // An empty file was left by a daemon that died while it wrote.
  return /^\d*\n?$/.test(text) ? { pid: Number(text) } : { objection: 'does not hold a PID' }
}
