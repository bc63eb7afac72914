import { COMMON_OPTIONS, type Command, type Options, optionLabel, optionSummary, usage } from '@kron/cli'
import { bold, example, heading, item, literal, page, paragraph, subheading } from './roff.ts'

export interface CommandPage {
  readonly program: Command
  readonly section: number
  readonly version: string
  /** Further sections, as title and roff. */
  readonly more: readonly (readonly [title: string, text: string])[]
  readonly seeAlso: readonly string[]
}

/** The man page of a program: the same table that makes its `--help`. */
export function commandPage({ program, section, version, more, seeAlso }: CommandPage): string {
  const { name, summary, details = [], commands = [], exits = [] } = program
  return page(name, section, version, [
    heading('Name'),
    `${literal(name)} \\- ${literal(summary)}`,
    heading('Synopsis'),
    ...commands.map(command => `.br\n${literal(usage(program, command))}`),
    heading('Description'),
    ...details.map(text => paragraph(literal(text))),
    heading('Commands'),
    ...commands.map(command => commandBlock(program, command)),
    heading('Options of every command'),
    options({ ...program.options, ...COMMON_OPTIONS }),
    ...(exits.length === 0 ? [] : [heading('Exit status'), exitList(exits)]),
    ...more.flatMap(([title, text]) => [heading(title), text]),
    heading('See also'),
    seeAlso.map(each => bold(each.replace(/\(\d\)$/, '')) + each.slice(-3)).join(',\n'),
  ])
}

function commandBlock(program: Command, command: Command): string {
  const { name, summary, details = [], arguments: wanted = [], examples = [], exits = [] } = command
  return [
    subheading(name),
    `${literal(sentence(summary))}`,
    ...details.map(text => paragraph(literal(text))),
    ...wanted.map(each => item(bold(`<${each.name}>`), literal(each.summary))),
    options(without(command.options ?? {}, program.options ?? {})),
    ...examples.map(({ line, does }) => `${paragraph(literal(`${sentence(does)}`))}\n${example(line)}`),
    exits.length === 0 ? '' : paragraph(`Exit status: ${exits.map(exitText).join('; ')}.`),
  ]
    .filter(block => block !== '')
    .join('\n')
}

const without = (options: Options, others: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !Object.hasOwn(others, name)))

const options = (all: Options): string =>
  Object.entries(all)
    .map(([name, option]) => item(bold(optionLabel(name, option)), literal(optionSummary(option))))
    .join('\n')

const exitText = ({ code, when }: { code: number; when: string }): string =>
  `${bold(String(code))} ${literal(when)}`

const exitList = (exits: NonNullable<Command['exits']>): string =>
  exits.map(({ code, when }) => item(bold(String(code)), literal(when))).join('\n')

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`
