import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { plural } from '@kron/cli'
import { parseJobFile, type ReadFile, readJobFile } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { printAnswer } from '../context/print.ts'
import { badInput, INVALID, Refusal } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { firstConfigDirectory } from '../daemon/places.ts'
import { startEditor } from '../job-files/editor.ts'
import { install, requireSafeDirectory } from '../job-files/install.ts'
import { requireFile, trustOf } from '../job-files/load.ts'
import { showFaults } from '../job-files/show-faults.ts'
import { shellSyntaxFaults } from '../lint/shell-syntax.ts'
import type { EDIT } from '../program/edit-commands.ts'

export const run: Run<typeof EDIT> = async (context, options, [file = '']) => {
  const path = pathOf(context, file)
  requireSafeDirectory(path, trustOf(context))
  const before = original(path)
  const workplace = mkdtempSync(join(tmpdir(), 'krontab-edit-'))
  const copy = join(workplace, basename(path))
  writeFileSync(copy, before?.text ?? '', { mode: 0o600 })
  const text = await editUntilValid(context, path, copy, { before: before?.text ?? '', force: options.force })
  const changed = text !== (before?.text ?? '')
  if (changed) await put(context, path, text, before, copy)
  rmSync(workplace, { recursive: true })
  const line = changed ? `installed ${path}; krond reload takes it up` : `${path} is unchanged`
  return printAnswer(context, options, { file: path, changed }, () => [line])
}

type Sound = ReturnType<typeof requireFile>

function pathOf(context: CommandContext, file: string): string {
  const path = file.includes('/') ? resolve(context.cwd, file) : join(firstConfigDirectory(context), file)
  if (!path.endsWith('.kron')) throw badInput(`${file} is not called *.kron`, `krontab edit ${file}.kron`)
  if (!existsSync(dirname(path))) throw badInput(`there is no directory ${dirname(path)}`)
  return path
}

/** Undefined if the file is new. */
const original = (path: string): Sound | undefined => (existsSync(path) ? requireFile(path, path) : undefined)

interface Editing {
  /** The text of the installed file. */
  readonly before: string
  /** Accepts shell syntax without a shell. */
  readonly force: boolean
}

/** Works like visudo: edit, check, and ask what to do about mistakes. */
async function editUntilValid(
  context: CommandContext,
  path: string,
  copy: string,
  editing: Editing,
): Promise<string> {
  for (;;) {
    startEditor(context, copy)
    const checked = check(context, path, readJobFile(copy), editing)
    if (checked.kind === 'valid') return checked.text
    const doubtful = checked.kind === 'doubtful'
    const answer = context.interactive
      ? await context.ask(
          `(e)dit again, ${doubtful ? '(i)nstall it as it is, ' : ''}or e(x)it and leave the file as it was? [e] `,
        )
      : 'x'
    if (doubtful && /^\s*i/i.test(answer)) return checked.text
    if (!/^\s*[xq]/i.test(answer)) continue
    throw new Refusal(
      INVALID,
      `${path} was left as it was`,
      doubtful
        ? `your edit is kept in ${copy}; add shell=true, or edit with --force`
        : `your edit is kept in ${copy}`,
    )
  }
}

type Checked = { readonly kind: 'valid' | 'doubtful'; readonly text: string } | { readonly kind: 'invalid' }

/** Shows the mistakes of the edited file on standard error. */
function check(context: CommandContext, path: string, read: ReadFile, { before, force }: Editing): Checked {
  if (!read.ok) {
    context.err(`error: ${read.fault.message}\n`)
    return { kind: 'invalid' }
  }
  const { text } = read
  const { entries, faults } = parseJobFile(text, path)
  if (faults.length > 0) {
    showFaults(context, basename(path), faults)
    context.err(`error: the edited file has ${plural(faults.length, 'error')}\n`)
    return { kind: 'invalid' }
  }
  const doubtful = force ? [] : shellSyntaxFaults(entries, text, before)
  if (doubtful.length === 0) return { kind: 'valid', text }
  showFaults(context, basename(path), doubtful)
  return { kind: 'doubtful', text }
}

async function put(
  context: CommandContext,
  path: string,
  text: string,
  before: Sound | undefined,
  copy: string,
): Promise<void> {
  if (original(path)?.text !== before?.text)
    throw badInput(`${path} has changed meanwhile and was left as it is`, `your edit is kept in ${copy}`)
  const target = before?.symlink ? realpathSync(path) : path
  await install({
    path: target,
    text,
    ...(before === undefined ? {} : { like: before.stats }),
    replace: before !== undefined,
    trust: trustOf(context),
  })
}
