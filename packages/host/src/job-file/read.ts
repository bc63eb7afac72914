import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'

export const LARGEST_FILE = 64 * 1024 * 1024

/** Something about a file as a whole, or about its bytes, that keeps it from being parsed. */
export interface FileFault {
  /** `unreadable`: the file cannot be read; `malformed`: its content is not text. */
  readonly kind: 'unreadable' | 'malformed'
  readonly message: string
  readonly hint: string
  /** From 1, where the place is known. */
  readonly line?: number
  readonly column?: number
}

export type ReadFile =
  | { readonly ok: true; readonly text: string; readonly stats: Stats; readonly symlink: boolean }
  | { readonly ok: false; readonly fault: FileFault }

export interface ReadOptions {
  /** Bytes that are not UTF-8 become U+FFFD instead of a fault. */
  readonly anyBytes?: boolean
}

/** Reads a job file. Whatever kind of file it finds at the path, it neither blocks nor throws. */
export function readJobFile(path: string, { anyBytes = false }: ReadOptions = {}): ReadFile {
  let descriptor: number | undefined
  try {
    const symlink = lstatSync(path).isSymbolicLink()
    // Opening a FIFO or a device must not block, and a link must not be swapped in after the check.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY
    descriptor = openSync(path, symlink ? flags : flags | constants.O_NOFOLLOW)
    const stats = fstatSync(descriptor)
    if (!stats.isFile())
      return unreadable(`it is ${kindOf(stats)}, not a regular file`, 'name a job file (*.kron)')
    return readOpenFile(descriptor, stats, { anyBytes, symlink })
  } catch (error) {
    return { ok: false, fault: systemFault(error) }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Reads an open regular file from its start. */
export function readOpenFile(
  descriptor: number,
  stats: Stats,
  { anyBytes = false, symlink = false }: ReadOptions & { readonly symlink?: boolean } = {},
): ReadFile {
  if (stats.size > LARGEST_FILE) return tooLarge(stats.size)
  const bytes = readBytes(descriptor, stats.size)
  if (bytes === undefined) return tooLarge(LARGEST_FILE + 1)
  const read = decode(bytes, anyBytes)
  return typeof read === 'string' ? { ok: true, text: read, stats, symlink } : { ok: false, fault: read }
}

/** Undefined if there is more than the limit; the file may grow while it is read. */
function readBytes(descriptor: number, size: number): Buffer | undefined {
  let bytes = Buffer.allocUnsafe(size + 1)
  let length = 0
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.subarray(0, length)
    length += read
    if (length > LARGEST_FILE) return undefined
    if (length === bytes.length) bytes = Buffer.concat([bytes], length * 2)
  }
}

function decode(bytes: Buffer, anyBytes: boolean): string | FileFault {
  const nul = bytes.indexOf(0)
  if (nul >= 0) return badByte(bytes, nul, 'a NUL byte', 'this is a binary file, not a job file')
  if (
    bytes.length >= 2 &&
    ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
  ) {
    return badByte(bytes, 0, 'a UTF-16 byte order mark', 'save the file as UTF-8')
  }
  if (!anyBytes && !isUtf8(bytes))
    return badByte(bytes, firstBadByte(bytes), 'a byte that is not UTF-8', 'save the file as UTF-8')
  return bytes.toString('utf8')
}

function badByte(bytes: Buffer, at: number, what: string, hint: string): FileFault {
  const before = bytes.subarray(0, at)
  const lineStart = before.lastIndexOf(10) + 1
  let line = 1
  for (let i = before.indexOf(10); i >= 0; i = before.indexOf(10, i + 1)) line++
  const column = before.toString('utf8', lineStart).length + 1
  return { kind: 'malformed', message: `${what} at offset ${at}`, hint, line, column }
}

/** The length of the longest valid prefix, by binary search: a cut inside a character counts as valid. */
function firstBadByte(bytes: Buffer): number {
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8(bytes.subarray(0, cutBefore(bytes, middle)))) good = middle
    else bad = middle
  }
  return cutBefore(bytes, good)
}

/** The offset, moved back to the start of its character. */
function cutBefore(bytes: Buffer, offset: number): number {
  let at = offset
  while (at > 0 && offset - at < 3 && (bytes[at]! & 0xc0) === 0x80) at--
  return at
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a FIFO'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

const unreadable = (message: string, hint: string): ReadFile => ({
  ok: false,
  fault: { kind: 'unreadable', message, hint },
})

const tooLarge = (size: number): ReadFile => ({
  ok: false,
  fault: {
    kind: 'malformed',
    message: `the file is larger than 64 MiB (${size} bytes)`,
    hint: 'split it into several files',
  },
})

function systemFault(error: unknown): FileFault {
  const { code = '', message } = error as NodeJS.ErrnoException
  const known: Readonly<Record<string, readonly [string, string]>> = {
    ENOENT: ['there is no such file', 'check the path'],
    EACCES: ['permission is denied', 'run it as a user who may read the file'],
    ENXIO: ['it is a socket or a device, not a regular file', 'name a job file (*.kron)'],
    ELOOP: ['its symbolic links form a loop', 'name the file itself'],
    ENOTDIR: ['a part of the path is not a directory', 'check the path'],
  }
  const [text, hint] = known[code] ?? [message, 'see the message of the system']
  return { kind: 'unreadable', message: text, hint }
}
