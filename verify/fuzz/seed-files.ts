import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The texts of the repository's files that match. */
export const seedFiles = (pattern: string, encoding: 'utf8' | 'latin1' = 'utf8'): string[] =>
  globSync(pattern, { cwd: ROOT })
    .sort()
    .map(path => readFileSync(ROOT + path, encoding))

/** Every line of the crontabs in the corpus, and some crontabs as a whole. */
export function crontabSeeds(): string[] {
  const lines = seedFiles('packages/krontab/corpus/{crontab,system}/*').flatMap(text => text.split('\n'))
  const files = seedFiles('packages/krontab/corpus/crontab/*').slice(0, 12)
  return [...[...new Set(lines)].map(line => `${line}\n`), ...files]
}
