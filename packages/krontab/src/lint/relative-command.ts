import { argvOf } from '@kron/host'
import type { EntryRule } from './finding.ts'

/** A command that is searched in PATH or in the working directory. */
export const relativeCommand: EntryRule = entry => {
  if (entry.shell) return undefined
  const program = argvOf(entry)[0] ?? ''
  if (program.startsWith('/')) return undefined
  return {
    part: 'command',
    message: `${JSON.stringify(program)} is not an absolute path: what runs depends on PATH and the directory`,
    hint: `write the full path, for example /usr/bin/${program.split('/').at(-1)}`,
  }
}
