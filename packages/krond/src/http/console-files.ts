import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { embeddedFiles } from '@kron/host'

export interface ConsoleFile {
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
  /** The file's name changes with its content. */
  readonly immutable: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The built console by URL path. Only listed files are served: no request becomes a file name. */
export function readConsole(): ReadonlyMap<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>()
  for (const [name, bytes] of built()) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    files.set(`/${name}`, { bytes, type, etag, immutable: name.startsWith('assets/') })
  }
  const index = files.get('/index.html')
  if (index !== undefined) files.set('/', index)
  return files
}

/** The console of this installation; empty if it was not built. */
function built(): Iterable<readonly [string, Buffer]> {
  const embedded = embeddedFiles()
  if (embedded !== undefined) return embedded.console()
  let directory: string
  let names: readonly string[]
  try {
    directory = join(dirname(createRequire(import.meta.url).resolve('@kron/console/package.json')), 'dist')
    names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
  return names
    .filter(name => TYPES[extname(name)] !== undefined)
    .map(name => [name, readFileSync(join(directory, name))])
}
