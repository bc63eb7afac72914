import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Every document of the repository, by its path. */
export const pages: readonly string[] = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.md', 'packaging/**/*.md'],
  { cwd: root },
)
  .filter(page => !page.includes('node_modules'))
  .sort()

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')
