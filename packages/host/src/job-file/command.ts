import type { Entry } from './entry.ts'

export type Argv =
  | { readonly ok: true; readonly argv: readonly string[] }
  /** `at` is the offset of the mistake in the text. */
  | { readonly ok: false; readonly at: number; readonly problem: 'unclosed' | 'empty' }

const ARGUMENT = /(?:[^" \t]|"[^"]*")+/g

/** Splits a command at blanks; `"…"` keeps blanks together, and `""` is an empty argument. */
export function splitCommand(text: string): Argv {
  const marks = text.split('"').length - 1
  if (marks % 2 === 1) return { ok: false, at: text.lastIndexOf('"'), problem: 'unclosed' }
  const argv = (text.match(ARGUMENT) ?? []).map(word => (marks === 0 ? word : word.replaceAll('"', '')))
  return argv.length === 0 || argv[0] === '' ? { ok: false, at: 0, problem: 'empty' } : { ok: true, argv }
}

/** The program and arguments to execute; the parser has already checked the text. */
export function argvOf({ command, shell }: Pick<Entry, 'command' | 'shell'>): readonly string[] {
  if (shell) return ['/bin/sh', '-c', command]
  const split = splitCommand(command)
  return split.ok ? split.argv : [command]
}
