import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Entry, parseJobFile, removeEntry } from '@kron/host'
import { printAnswer } from '../context/print.ts'
import type { Run } from '../context/run.ts'
import { install, requireSafeDirectory } from '../job-files/install.ts'
import { jobFilePaths, requireFile, trustOf } from '../job-files/load.ts'
import { selectEntry } from '../job-files/select.ts'
import type { REMOVE } from '../program/edit-commands.ts'

export const run: Run<typeof REMOVE> = async (context, options, [job = '']) => {
  const files = new Map<string, ReturnType<typeof requireFile>>()
  const entries: Entry[] = []
  for (const name of jobFilePaths(context, options)) {
    const path = resolve(context.cwd, name)
    const read = requireFile(path, name)
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
  const line = `removed ${name} from ${path}; krond reload takes it up`
  return printAnswer(context, options, { removed: identity, file: path }, () => [line])
}
