import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The texts of the repository's files that match. */
export const seedFiles = (pattern: string, encoding: 'utf8' | 'latin1' = 'utf8'): string[] =>
  globSync(pattern, { cwd: ROOT })
    .sort()
    .map(path => readFileSync(ROOT + path, encoding))
