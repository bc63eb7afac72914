import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { Disk, DiskFile, FileStat } from './disk.ts'

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = fs.constants
// Windows has neither.
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0
const O_DSYNC = process.platform === 'linux' ? fs.constants.O_DSYNC : 0

/** The times of files stand still for some milliseconds; to be safe, for longer. */
const CLOCK_STEP = 1_000

const open = promisify(fs.open)
const close = promisify(fs.close)
const fsync = promisify(fs.fsync)
const fdatasync = promisify(fs.fdatasync)
const ftruncate = promisify(fs.ftruncate)
const write = promisify(fs.write)

/** Most files fit, and a read into it saves asking for their size. */
const small = Buffer.allocUnsafe(16_384)

/** The real disk. */
export const nodeDisk: Disk = {
  // Reading is for start-up, where a hundred thousand small files cost a third of what the thread pool asks.
  read: async path => {
    const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW)
    try {
      const length = fs.readSync(fd, small, 0, small.length, 0)
      return length < small.length ? Buffer.from(small.subarray(0, length)) : fs.readFileSync(fd)
    } finally {
      fs.closeSync(fd)
    }
  },
  stat: async path => statOf(fs.lstatSync(path)),
  list: async directory => namesIn(directory),
  makeDirectory: (path, mode) => fs.promises.mkdir(path, { mode }),
  create: async (path, mode) => nodeFile(await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode), 0),
  // Without O_APPEND, which would ignore positions.
  openToAppend: async path => {
    const fd = await open(path, O_WRONLY | O_NOFOLLOW | O_DSYNC)
    return nodeFile(fd, fs.fstatSync(fd).size)
  },
  rename: (from, to) => fs.promises.rename(from, to),
  remove: path => fs.promises.unlink(path),
  syncDirectory: async path => {
    // Windows opens no directories, and makes names durable on its own.
    if (process.platform === 'win32') return
    const fd = await open(path, O_RDONLY)
    try {
      await fsync(fd)
    } finally {
      await close(fd)
    }
  },
}

/**
 * Entry by entry: `readdir` takes a block of C memory for every name at once. These blocks are too small for glibc to return
 * them, and 140 bytes a file would stay with the daemon for good.
 */
function namesIn(path: string): string[] {
  const directory = fs.opendirSync(path)
  try {
    const names: string[] = []
    for (let each = directory.readSync(); each !== null; each = directory.readSync()) names.push(each.name)
    return names
  } finally {
    directory.closeSync()
  }
}

function nodeFile(fd: number, size: number): DiskFile {
  let end = size
  const writeAll = async (bytes: Uint8Array, at = end) => {
    let done = 0
    while (done < bytes.length) {
      done += (await write(fd, bytes, done, bytes.length - done, at + done)).bytesWritten
    }
    end = Math.max(end, at + done)
  }
  // With O_DSYNC the write is the sync, which saves a trip through the thread pool.
  const writeDurably = O_DSYNC
    ? writeAll
    : async (bytes: Uint8Array, at?: number) => {
        await writeAll(bytes, at)
        await fdatasync(fd)
      }
  return {
    write: bytes => writeAll(bytes),
    sync: () => fsync(fd),
    appendDurably: bytes => writeDurably(bytes),
    writeDurably,
    truncate: async to => {
      await ftruncate(fd, to)
      end = Math.min(end, to)
    },
    close: () => close(fd),
  }
}

function statOf(stats: fs.Stats): FileStat {
  const kind = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'directory'
      : stats.isSymbolicLink()
        ? 'link'
        : 'other'
  const { size, mode, uid, ino, mtimeMs, ctimeMs } = stats
  const stat = { kind, size, mode: mode & 0o7777, uid, modifiedAt: mtimeMs } as const
  if (Date.now() - ctimeMs < CLOCK_STEP) return stat
  return { ...stat, version: `${ino}-${size}-${mtimeMs}-${ctimeMs}` }
}
