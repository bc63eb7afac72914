import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `sha256sum -c` reads it. */
export function sumsOf(directory: string): string {
  const sum = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(directory, name)))
      .digest('hex')
  const files = readdirSync(directory).filter(name => name !== 'SHA256SUMS')
  return files
    .sort()
    .map(name => `${sum(name)}  ${name}\n`)
    .join('')
}
