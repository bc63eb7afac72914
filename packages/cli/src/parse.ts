import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { didYouMean, suggest } from '@kron/core'
import { type Command, type GivenValue, type Options, optionsOf, type Topic } from './spec.ts'

export type CommandLine =
  | { readonly kind: 'help'; readonly command?: Command }
  | { readonly kind: 'topic'; readonly topic: Topic }
  | { readonly kind: 'version' }
  | { readonly kind: 'mistake'; readonly message: string; readonly hint: string }
  | Invocation

export interface Invocation {
  readonly kind: 'run'
  readonly command: Command
  readonly arguments: readonly string[]
  readonly options: Readonly<Record<string, GivenValue>>
}

/** Reads a command line; never throws and never exits. */
export function parseCommandLine(program: Command, words: readonly string[]): CommandLine {
  const { commands } = program
  if (commands === undefined) return parseWords(program, undefined, words)
  const at = commandAt(program, words)
  const name = words[at]
  if (name === undefined) return withoutCommand(program, words)
  if (name === 'help') return helpOn(program, words[at + 1])
  const command = commands.find(each => each.name === name)
  if (command === undefined) return optionFirst(program, words, at) ?? unknownCommand(program, name)
  return parseWords(program, command, [...words.slice(0, at), ...words.slice(at + 1)])
}

/** Where the command's name stands: the first word that is neither an option nor the value of one. */
function commandAt(program: Command, words: readonly string[]): number {
  const options = optionsOf(program, undefined)
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith('-')) return at
    const option = Object.hasOwn(options, word.slice(2)) ? options[word.slice(2)] : undefined
    if (option !== undefined && option.kind !== 'flag') at++
  }
  return words.length
}

function withoutCommand(program: Command, words: readonly string[]): CommandLine {
  if (words.some(word => word === '--help' || word === '-h')) return { kind: 'help' }
  if (words.some(word => word === '--version' || word === '-V')) return { kind: 'version' }
  const other = words.find(word => Object.hasOwn(program.otherOptions ?? {}, word))
  if (other !== undefined)
    return mistake(
      program,
      undefined,
      `${program.name} has no option ${other}`,
      program.otherOptions?.[other],
    )
  const own = optionsOf(program, undefined)
  const unknown = words.find(word => word.startsWith('-') && !isNamed(word, own))
  if (unknown !== undefined) return mistake(program, undefined, `${program.name} has no option ${unknown}`)
  return mistake(program, undefined, 'no command is given')
}

/** An option of a command that is typed before the command: its value looks like the command. */
function optionFirst(program: Command, words: readonly string[], at: number): CommandLine | undefined {
  const option = words[at - 1]
  const { commands = [] } = program
  if (option === undefined || !commands.some(({ options = {} }) => isNamed(option, options))) return undefined
  const command = words.find(word => commands.some(({ name }) => name === word)) ?? 'COMMAND'
  const hint = `write the command first: ${program.name} ${command} ${option} ${words[at]}`
  return mistake(program, undefined, `the command must stand before ${option}`, hint)
}

function helpOn(program: Command, name: string | undefined): CommandLine {
  if (name === undefined || name.startsWith('-')) return { kind: 'help' }
  const command = program.commands?.find(each => each.name === name)
  if (command !== undefined) return { kind: 'help', command }
  const topic = program.topics?.find(each => each.name === name || each.name === `${name}s`)
  if (topic !== undefined) return { kind: 'topic', topic }
  const topics = program.topics?.map(each => each.name) ?? []
  const known = [...(program.commands?.map(each => each.name) ?? []), ...topics]
  if (topics.length === 0) return unknownCommand(program, name)
  const hint = didYouMean(name, known) ?? `topics are ${topics.join(', ')}; see also ${program.name} --help`
  return mistake(program, undefined, `no help on ${JSON.stringify(name)}`, hint)
}

function unknownCommand(program: Command, name: string): CommandLine {
  const names = program.commands?.map(each => each.name) ?? []
  return mistake(program, undefined, `unknown command ${JSON.stringify(name)}`, didYouMean(name, names))
}

function parseWords(program: Command, command: Command | undefined, words: readonly string[]): CommandLine {
  const known = optionsOf(program, command)
  const said = (message: string, hint?: string): CommandLine => mistake(program, command, message, hint)
  const { tokens } = parseArgs({
    args: [...words],
    options: configOf(known),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const options: Record<string, GivenValue> = {}
  for (const [name, { kind }] of Object.entries(known)) {
    options[name] = kind === 'flag' ? false : kind === 'list' ? [] : undefined
  }
  const given: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') given.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (option === undefined) {
      const close = token.rawName.startsWith('--') ? suggest(token.name, Object.keys(known)) : undefined
      const hint = close === undefined ? undefined : `did you mean --${close}?`
      return said(`unknown option ${token.rawName}`, hint)
    }
    if (option.kind === 'flag') {
      if (token.value !== undefined) return said(`${token.rawName} takes no value`)
      options[token.name] = true
      continue
    }
    if (token.value === undefined || (!token.inlineValue && isOption(token.value, known))) {
      return said(`${token.rawName} needs a value`, `write ${token.rawName} ${option.value}`)
    }
    if (option.choices !== undefined && !option.choices.includes(token.value)) {
      const hint = `it is one of ${option.choices.join(', ')}`
      return said(`${token.rawName} cannot be ${JSON.stringify(token.value)}`, hint)
    }
    if (option.kind === 'list') options[token.name] = [...(options[token.name] as string[]), token.value]
    else if (options[token.name] !== undefined) return said(`${token.rawName} is given twice`)
    else options[token.name] = token.value
  }
  if (options['help'] === true) return { kind: 'help', ...(command === undefined ? {} : { command }) }
  if (options['version'] === true) return { kind: 'version' }
  return (
    checkArguments(command ?? program, given, said) ?? {
      kind: 'run',
      command: command ?? program,
      arguments: given,
      options,
    }
  )
}

/** Whether a word is one of these options, by its long or its short name. */
const isNamed = (word: string, known: Options): boolean =>
  isOption(word, known) || Object.values(known).some(({ short }) => word === `-${short}`)

const isOption = (word: string, known: Options): boolean =>
  word.startsWith('--') && Object.hasOwn(known, word.slice(2).split('=', 1)[0]!)

function checkArguments(
  { arguments: wanted = [] }: Command,
  given: readonly string[],
  said: (message: string, hint?: string) => CommandLine,
): CommandLine | undefined {
  const missing = wanted.find((each, i) => each.optional !== true && given[i] === undefined)
  if (missing !== undefined) return said(`${missing.name} is missing`)
  if (given.length > wanted.length) return said(`unexpected argument ${JSON.stringify(given[wanted.length])}`)
  for (const [i, { choices, name }] of wanted.entries()) {
    const word = given[i]
    if (word !== undefined && choices !== undefined && !choices.includes(word)) {
      return said(`${name} cannot be ${JSON.stringify(word)}`, `it is one of ${choices.join(', ')}`)
    }
  }
}

function configOf(options: Options): ParseArgsOptionsConfig {
  const config: ParseArgsOptionsConfig = {}
  for (const [name, { kind, short }] of Object.entries(options)) {
    const type = kind === 'flag' ? ('boolean' as const) : ('string' as const)
    config[name] = { type, ...(short === undefined ? {} : { short }) }
  }
  return config
}

const mistake = (
  program: Command,
  command: Command | undefined,
  message: string,
  hint?: string,
): CommandLine => ({
  kind: 'mistake',
  message,
  hint: hint ?? `see ${[program.name, command?.name, '--help'].filter(Boolean).join(' ')}`,
})
