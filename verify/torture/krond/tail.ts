import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Reads a file that only grows, whole lines at a time; a line that is not finished waits for its end. */
export class Tail {
  private readonly path: string
  private at = 0
  private rest = Buffer.alloc(0)

  constructor(path: string) {
    this.path = path
  }

  /** The lines that came since it was last asked. */
  lines(): string[] {
    const fresh = Buffer.concat([this.rest, this.fresh()])
    const end = fresh.lastIndexOf('\n') + 1
    this.rest = fresh.subarray(end)
    return fresh
      .subarray(0, end)
      .toString()
      .split('\n')
      .filter(line => line !== '')
  }

  private fresh(): Buffer {
    let fd: number
    try {
      fd = openSync(this.path, 'r')
    } catch {
      return Buffer.alloc(0)
    }
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - this.at))
      const read = readSync(fd, bytes, 0, bytes.length, this.at)
      this.at += read
      return bytes.subarray(0, read)
    } finally {
      closeSync(fd)
    }
  }
}
