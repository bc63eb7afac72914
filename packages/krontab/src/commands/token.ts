import { type Given, indent, styleOf, table } from '@kron/cli'
import type { AddedToken, TokenPage } from '@kron/host/api'
import type { CommandContext } from '../context/command-context.ts'
import { printAnswer, printJson } from '../context/print.ts'
import { badInput, OK } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { askControl } from '../daemon/ask.ts'
import type { TOKEN } from '../program/daemon-commands.ts'

type Options = Given<typeof TOKEN.options>

export const run: Run<typeof TOKEN> = async (context, options, [action, name]) => {
  if (action === 'list') {
    if (name !== undefined) throw badInput('list takes no name')
    return list(context, options)
  }
  if (name === undefined) throw badInput('name the token', `for example: krontab token ${action} prometheus`)
  return action === 'add' ? add(context, options, name) : remove(context, options, name)
}

/** Only the token goes to standard output, so that it can be written to a file. */
async function add(context: CommandContext, options: Options, name: string): Promise<number> {
  const scope = options.scope ?? 'read'
  const added = await askControl<AddedToken>(context, options, {
    request: 'token',
    action: 'add',
    name,
    scope,
  })
  if (options.format === 'json') printJson(context, added)
  else {
    context.out(`${added.token}\n`)
    context.err(`the token ${name} has the scope ${scope}; it is not shown again\n`)
  }
  return OK
}

async function list(context: CommandContext, options: Options): Promise<number> {
  const page = await askControl<TokenPage>(context, options, { request: 'token', action: 'list' })
  return printAnswer(context, options, page, () => tokensText(context, page))
}

function tokensText({ terminal }: CommandContext, { tokens }: TokenPage): string[] {
  if (tokens.length === 0) return ["there is no token but krond's own"]
  const rows = tokens.map(({ name, scope, added, by }) => [name, scope, added, by])
  const heads = [{ title: 'name' }, { title: 'scope' }, { title: 'added' }, { title: 'by' }]
  return indent(table(heads, rows, terminal.width - 2, styleOf(terminal).faint))
}

async function remove(context: CommandContext, options: Options, name: string): Promise<number> {
  const page = await askControl<TokenPage>(context, options, { request: 'token', action: 'remove', name })
  return printAnswer(context, options, page, () => [`the token ${name} is refused from now on`])
}
