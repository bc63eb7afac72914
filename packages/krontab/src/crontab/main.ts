import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { visibleScreen } from '@kron/cli'
import { isKronError, UTC } from '@kron/core'
import { type Accounts, parseCrontab, type UserAccount } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { isRefusal, OK, Refusal } from '../context/refusal.ts'
import { startEditor } from '../job-files/editor.ts'
import { showFaults } from '../job-files/show-faults.ts'
import { versionOf } from '../version.ts'
import { type CrontabCommand, parseCrontabArguments, USAGE } from './arguments.ts'
import type { CrontabTables } from './tables.ts'

/** crontab(1) exits with 1 for every failure. */
export const FAILED = 1

export interface CrontabParts {
  readonly accounts: Pick<Accounts, 'findUser'>
  readonly tables: CrontabTables
}

/** Runs one command line of crontab and returns the exit code. */
export async function crontab(
  words: readonly string[],
  context: CommandContext,
  parts: CrontabParts,
): Promise<number> {
  const command = parseCrontabArguments(words)
  try {
    switch (command.action) {
      case 'help':
        context.out(USAGE)
        return OK
      case 'version':
        context.out(`${versionOf('crontab')}\n`)
        return OK
      case 'mistake':
        context.err(`crontab: ${command.message}\n${USAGE}`)
        return FAILED
      default:
        return await act(command, context, parts)
    }
  } catch (error) {
    if (!isRefusal(error) && !isKronError(error)) throw error
    context.err(
      visibleScreen(
        `crontab: ${error.message}\n${error.hint === undefined ? '' : `  hint: ${error.hint}\n`}`,
      ),
    )
    return FAILED
  }
}

type Action = Exclude<CrontabCommand, { action: 'help' | 'version' | 'mistake' }>

async function act(
  command: Action,
  context: CommandContext,
  { accounts, tables }: CrontabParts,
): Promise<number> {
  const account = accountOf(command.user, context, accounts)
  switch (command.action) {
    case 'test':
      requireSound(readText(context, command.file), command.file, account, context)
      context.out('no mistakes\n')
      return OK
    case 'install': {
      const text = readText(context, command.file)
      requireSound(text, command.file, account, context)
      await tables.install(account, text)
      return OK
    }
    case 'list': {
      const text = await tables.read(account)
      if (text === undefined)
        throw new Refusal(FAILED, `no crontab for ${account.name}`, 'crontab -e makes one')
      context.data(text)
      return OK
    }
    case 'remove': {
      if (
        command.asks &&
        !/^\s*y/i.test(await context.ask(`crontab: really delete ${account.name}'s crontab? (y/n) `))
      )
        return OK
      if (!(await tables.remove(account))) throw new Refusal(FAILED, `no crontab for ${account.name}`)
      return OK
    }
    case 'edit':
      return edit(context, account, tables)
  }
}

/** The caller's own account; root may name another user. */
function accountOf(
  user: string | undefined,
  context: CommandContext,
  accounts: CrontabParts['accounts'],
): UserAccount {
  const own = accounts.findUser(String(context.uid))
  const account = user === undefined ? own : accounts.findUser(user)
  if (account === undefined)
    throw new Refusal(
      FAILED,
      user === undefined ? `user ${context.uid} has no account` : `there is no user ${user}`,
    )
  if (account.uid !== context.uid && context.uid !== 0)
    throw new Refusal(FAILED, 'only root may use -u for another user')
  return account
}

function readText(context: CommandContext, file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : resolve(context.cwd, file), 'utf8')
  } catch (error) {
    throw new Refusal(FAILED, `cannot read ${file}: ${(error as Error).message}`)
  }
}

/** Shows every mistake; returns false if there is one. */
function isSound(text: string, file: string, { name, uid }: UserAccount, context: CommandContext): boolean {
  const findUser = (): UserAccount => ({ name, uid, gid: 0, home: '/', shell: '/bin/sh' })
  const { faults } = parseCrontab(text, '/crontab', {
    owner: name,
    zone: UTC,
    windowNs: 0,
    uid: 0,
    findUser,
    listScripts: undefined,
  })
  if (faults.length > 0) showFaults(context, file === '-' ? 'standard input' : file, faults)
  return faults.length === 0
}

function requireSound(text: string, file: string, account: UserAccount, context: CommandContext): void {
  if (!isSound(text, file, account, context))
    throw new Refusal(FAILED, 'the crontab has mistakes and was not installed', 'correct them and try again')
}

/** Edit, check, and ask what to do about mistakes. */
async function edit(context: CommandContext, account: UserAccount, tables: CrontabTables): Promise<number> {
  const before = await tables.read(account)
  const workplace = mkdtempSync(join(tmpdir(), 'crontab-'))
  const copy = join(workplace, 'crontab')
  writeFileSync(copy, before ?? TEMPLATE, { mode: 0o600 })
  for (;;) {
    startEditor(context, copy)
    const text = readFileSync(copy, 'utf8')
    if (text === (before ?? TEMPLATE)) {
      rmSync(workplace, { recursive: true })
      context.err('crontab: nothing was changed\n')
      return OK
    }
    if (isSound(text, copy, account, context)) {
      if ((await tables.read(account)) !== before)
        throw new Refusal(FAILED, 'the crontab has changed meanwhile', `your edit is kept in ${copy}`)
      await tables.install(account, text)
      rmSync(workplace, { recursive: true })
      context.err(`crontab: installed the new crontab of ${account.name}\n`)
      return OK
    }
    const answer = context.interactive ? await context.ask('crontab: edit it again? (y/n) ') : 'n'
    if (/^\s*n/i.test(answer))
      throw new Refusal(FAILED, 'the crontab was left as it was', `your edit is kept in ${copy}`)
  }
}

const TEMPLATE = `# minute hour day month weekday command
#
# A comment like this one gives the job below it a name and a window:
# kron: name=backup @win(after,15m)
# 0 2 * * * /usr/local/bin/backup
`
