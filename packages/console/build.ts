/** Builds the console into dist/, unless its inputs have not changed since the last build. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
const stampFile = `${root}dist/.stamp`

function inputs(): string {
  const hash = createHash('sha256')
  const patterns = ['src/**/*', 'index.html', '*.json', '*.ts', '../core/src/**/*.ts']
  for (const file of globSync(patterns, { cwd: root, withFileTypes: true })
    .filter(each => each.isFile())
    .map(each => `${each.parentPath}/${each.name}`)
    .sort())
    hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

function stamp(): string {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return ''
  }
}

const now = inputs()
if (stamp() !== now) {
  const { build } = await import('vite')
  await build({ root, configFile: `${root}vite.config.ts` })
  writeFileSync(stampFile, now)
}
