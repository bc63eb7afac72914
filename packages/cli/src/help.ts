import { COMMON_OPTIONS, type Command, type Option, type Options, optionsOf, type Topic } from './spec.ts'

/** The help text of a program, or of one of its commands. */
export function helpText(program: Command, command: Command | undefined, width: number): string {
  const subject = command ?? program
  const title = command === undefined ? program.name : `${program.name} ${command.name}`
  const blocks = [`${title}: ${subject.summary}`, `Usage:\n  ${usage(program, command)}`]
  for (const paragraph of subject.details ?? []) blocks.push(fill(paragraph, width).join('\n'))
  const add = (title: string, rows: Rows): void => void blocks.push(section(title, rows, width))
  const { commands = [], topics = [] } = command === undefined ? program : {}
  const { arguments: wanted = [], examples = [], exits = [] } = subject
  add('Commands', summaries(commands))
  add('Topics', summaries(topics))
  add(
    'Arguments',
    wanted.map(each => [`<${each.name}>`, each.summary]),
  )
  add('Options', optionRows(optionsOf(program, command)))
  blocks.push(exampleBlock(examples))
  add(
    'Exit status',
    exits.map(each => [String(each.code), each.when]),
  )
  if (command === undefined && program.commands !== undefined) {
    const more = program.topics === undefined ? '' : `, ${program.name} help <topic> about a topic`
    blocks.push(`${program.name} <command> --help tells more about a command${more}.`)
  }
  return `${blocks.filter(block => block !== '').join('\n\n')}\n`
}

/** The text of a topic. */
export const topicText = (program: Command, { name, summary, lines }: Topic): string =>
  `${program.name} help ${name}: ${summary}\n\n${lines.join('\n')}\n`

export function usage(program: Command, command: Command | undefined): string {
  const subject = command ?? program
  const words = [program.name]
  if (command !== undefined) words.push(command.name)
  else if (program.commands !== undefined) words.push('<command>')
  for (const each of subject.arguments ?? [])
    words.push(each.optional ? `[<${each.name}>]` : `<${each.name}>`)
  return [...words, '[options]'].join(' ')
}

/** `-f, --file FILE` as it is shown in help texts and man pages. */
export function optionLabel(name: string, option: Option): string {
  const value = option.kind === 'flag' ? '' : ` ${option.value}`
  return `${option.short === undefined ? '' : `-${option.short}, `}--${name}${value}`
}

export function optionSummary(option: Option): string {
  if (option.kind === 'flag') return option.summary
  const notes = []
  if (option.choices !== undefined) notes.push(option.choices.join(' | '))
  if (option.kind === 'list') notes.push('may be repeated')
  if (option.otherwise !== undefined) notes.push(`default: ${option.otherwise}`)
  return notes.length === 0 ? option.summary : `${option.summary} (${notes.join('; ')})`
}

const optionRows = (options: Options): [string, string][] => {
  const own = Object.entries(options).filter(([name]) => !Object.hasOwn(COMMON_OPTIONS, name))
  const all = [...own, ...Object.entries(COMMON_OPTIONS)]
  return all.map(([name, option]) => [optionLabel(name, option), optionSummary(option)])
}

function exampleBlock(examples: NonNullable<Command['examples']>): string {
  if (examples.length === 0) return ''
  const lines = examples.map(({ line, does }) => `  ${line}\n      ${does}`)
  return `${examples.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`
}

const WIDEST_LABEL = 26

type Rows = readonly (readonly [string, string])[]

const summaries = (subjects: readonly (Command | Topic)[]): Rows =>
  subjects.map(({ name, summary }) => [name, summary])

function section(title: string, rows: Rows, width: number): string {
  if (rows.length === 0) return ''
  const labelWidth = Math.min(WIDEST_LABEL, Math.max(...rows.map(([label]) => label.length)))
  const indent = ' '.repeat(labelWidth + 4)
  const lines = rows.map(([label, text]) => {
    const filled = fill(text, width - indent.length).join(`\n${indent}`)
    return label.length > labelWidth
      ? `  ${label}\n${indent}${filled}`
      : `  ${label.padEnd(labelWidth)}  ${filled}`
  })
  return `${title}:\n${lines.join('\n')}`
}

const NARROWEST = 30

/** The text as lines of at most `width` columns, broken at blanks. */
export function fill(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > Math.max(NARROWEST, width)) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
