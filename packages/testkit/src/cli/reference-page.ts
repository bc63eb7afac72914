import { optionLabel, optionSummary, usage } from '../../../cli/src/help.ts'
import { COMMON_OPTIONS, type Command, type Options } from '../../../cli/src/spec.ts'

/** The reference page of a program in the documentation: the same words as its help texts. */
export function referencePage(program: Command): string {
  const { commands = [] } = program
  const blocks = [`# ${program.name}`, sentence(program.summary), ...(program.details ?? [])]
  const list = commands.map(each => [link(each.name), each.summary])
  blocks.push(rows(['command', 'does'], list))
  blocks.push(optionTable({ ...program.options, ...COMMON_OPTIONS }))
  for (const command of commands) blocks.push(...commandBlocks(program, command))
  return `${blocks.filter(block => block !== '').join('\n\n')}\n`
}

function commandBlocks(program: Command, command: Command): string[] {
  const { details = [], arguments: wanted = [], options = {}, examples = [], exits = [] } = command
  const shell = examples.map(({ line, does }) => `# ${does}\n${line}`).join('\n\n')
  return [
    `## ${command.name}`,
    sentence(command.summary),
    ['```', usage(program, command), '```'].join('\n'),
    ...details,
    rows(
      ['argument', ''],
      wanted.map(each => [`\`${each.name}\``, each.summary]),
    ),
    optionTable(options),
    shell === '' ? '' : `\`\`\`sh\n${shell}\n\`\`\``,
    rows(
      ['exit status', 'when'],
      exits.map(each => [String(each.code), each.when]),
    ),
  ]
}

const optionTable = (options: Options): string =>
  rows(
    ['option', ''],
    Object.entries(options).map(([name, option]) => [
      `\`${optionLabel(name, option)}\``,
      optionSummary(option),
    ]),
  )

function rows(heads: readonly string[], cells: readonly (readonly string[])[]): string {
  if (cells.length === 0) return ''
  const line = (texts: readonly string[]): string =>
    `| ${texts.map(text => text.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...cells.map(line)].join('\n')
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`
const link = (name: string): string => `[\`${name}\`](#${name})`
