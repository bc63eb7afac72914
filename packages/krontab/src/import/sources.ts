import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { CommandContext } from '../context/command-context.ts'
import { badInput } from '../context/refusal.ts'

/** A text that was read, with the name by which it was requested. */
export interface Source {
  readonly path: string
  readonly text: string
}

/** `-` is standard input. */
export function readSource(context: CommandContext, path: string): Source {
  try {
    if (path === '-') return { path: 'standard input', text: readFileSync(0, 'utf8') }
    return { path, text: readFileSync(resolve(context.cwd, path), 'utf8') }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw badInput(`${path}: there is no such file`, 'check the path')
    throw badInput(`cannot read ${path}: ${message}`)
  }
}

export interface Directory {
  readonly sources: readonly Source[]
  /** Files that cron itself ignores because of their names. */
  readonly ignored: readonly string[]
}

/** A system crontab, or all files that cron would read in a directory such as /etc/cron.d. */
export function readSystem(context: CommandContext, path: string): Directory {
  if (path === '-' || !isDirectory(resolve(context.cwd, path)))
    return { sources: [readSource(context, path)], ignored: [] }
  const names = readdirSync(resolve(context.cwd, path)).sort()
  const read = names.filter(name => /^[\w-]+$/.test(name))
  return {
    sources: read.map(name => readSource(context, join(path, name))),
    ignored: names.filter(name => !read.includes(name)).map(name => join(path, name)),
  }
}

const UNIT_PATH = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
]

/** A unit with its drop-ins; a bare name is searched in systemd's directories. Empty if there is none. */
export function readUnitFiles(context: CommandContext, path: string): Source[] {
  const places = path.includes('/') ? [path] : [path, ...UNIT_PATH.map(directory => join(directory, path))]
  for (const place of places) {
    const found = [place, templateOf(place)].find(
      each => each !== undefined && isFile(resolve(context.cwd, each)),
    )
    if (found !== undefined) return [readSource(context, found), ...dropIns(context, place)]
  }
  return []
}

/** For example, `backup@home.service` is made from `backup@.service`. */
function templateOf(path: string): string | undefined {
  const match = /^(.+@).+(\.\w+)$/.exec(basename(path))
  return match === null ? undefined : join(dirname(path), `${match[1]}${match[2]}`)
}

function dropIns(context: CommandContext, path: string): Source[] {
  const directory = `${path}.d`
  if (!isDirectory(resolve(context.cwd, directory))) return []
  const names = readdirSync(resolve(context.cwd, directory)).filter(name => name.endsWith('.conf'))
  return names.sort().map(name => readSource(context, join(directory, name)))
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
