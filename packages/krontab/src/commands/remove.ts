import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Given } from '@kron/cli'
import { type Entry, parseJobFile, type ReadFile, readJobFile, removeEntry } from '@kron/host'
import type { Host } from '../host.ts'
import { install, requireSafeDirectory } from '../install.ts'
import { jobFilePaths, trustOf } from '../load.ts'
import { printJson } from '../print.ts'
import type { REMOVE } from '../program/change.ts'
import { BAD_INPUT, OK, Refusal } from '../refusal.ts'
import { selectEntry } from '../select.ts'

export async function run(
  host: Host,
  options: Given<typeof REMOVE.options>,
  [job = '']: readonly string[],
): Promise<number> {
  const files = new Map<string, Extract<ReadFile, { ok: true }>>()
  const entries: Entry[] = []
  for (const name of jobFilePaths(host, options)) {
    const path = resolve(host.cwd, name)
    const read = readJobFile(path)
    if (!read.ok) throw new Refusal(BAD_INPUT, `${name}: ${read.fault.message}`, read.fault.hint)
    files.set(path, read)
    // A mistake in another line does not prevent the removal of this one.
    for (const entry of parseJobFile(read.text, path).entries) entries.push(entry)
  }
  const { identity, name, path } = selectEntry(entries, job)
  const { text, stats, symlink } = files.get(path)!
  const target = symlink ? realpathSync(path) : path
  const trust = trustOf(host)
  requireSafeDirectory(path, trust)
  await install({ path: target, text: removeEntry(text, path, name)!, like: stats, replace: true, trust })
  if (options.format === 'json') printJson(host, { removed: identity, file: path })
  else host.out(`removed ${name} from ${path}; krond reload takes it up\n`)
  return OK
}
