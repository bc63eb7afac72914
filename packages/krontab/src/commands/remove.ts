import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Given } from '@kron/cli'
import { type Entry, parseJobFile, type ReadFile, readJobFile, removeEntry } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { printJson } from '../context/print.ts'
import { BAD_INPUT, OK, Refusal } from '../context/refusal.ts'
import { install, requireSafeDirectory } from '../job-files/install.ts'
import { jobFilePaths, trustOf } from '../job-files/load.ts'
import { selectEntry } from '../job-files/select.ts'
import type { REMOVE } from '../program/edit-commands.ts'

export async function run(
  context: CommandContext,
  options: Given<typeof REMOVE.options>,
  [job = '']: readonly string[],
): Promise<number> {
  const files = new Map<string, Extract<ReadFile, { ok: true }>>()
  const entries: Entry[] = []
  for (const name of jobFilePaths(context, options)) {
    const path = resolve(context.cwd, name)
    const read = readJobFile(path)
    if (!read.ok) throw new Refusal(BAD_INPUT, `${name}: ${read.fault.message}`, read.fault.hint)
    files.set(path, read)
    // A mistake in another line does not prevent the removal of this one.
    for (const entry of parseJobFile(read.text, path).entries) entries.push(entry)
  }
  const { identity, name, path } = selectEntry(entries, job)
  const { text, stats, symlink } = files.get(path)!
  const target = symlink ? realpathSync(path) : path
  const trust = trustOf(context)
  requireSafeDirectory(path, trust)
  await install({ path: target, text: removeEntry(text, path, name)!, like: stats, replace: true, trust })
  if (options.format === 'json') printJson(context, { removed: identity, file: path })
  else context.out(`removed ${name} from ${path}; krond reload takes it up\n`)
  return OK
}
