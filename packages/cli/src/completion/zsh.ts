import { type Argument, type Command, type Option, optionsOf } from '../spec.ts'

export function zshCompletion(program: Command, jobs: string): string {
  const commands = program.commands ?? [program]
  const described = commands.map(each => `    ${quoted(`${each.name}:${each.summary}`)}`)
  const cases = commands.map(command => {
    const options = Object.entries(optionsOf(program, command)).map(optionSpec)
    const wanted = (command.arguments ?? []).map((each, i) => argumentSpec(each, i + 1))
    return `    ${command.name})\n      _arguments ${[...options, ...wanted].join(' \\\n        ')} ;;`
  })
  const choice = `  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))`
  return `#compdef ${program.name}
_${program.name}_jobs() {
  local -a jobs
  jobs=(\${(f)"$(${jobs} 2>/dev/null)"})
  compadd -a jobs
}
_${program.name}() {
${program.commands === undefined ? `  local command=${program.name}` : choice}
  case $command in
${cases.join('\n')}
  esac
}
# Loaded by the first completion, or read by whoever evaluates it.
if [[ $funcstack[1] == _${program.name} ]]; then _${program.name} "$@"; else compdef _${program.name} ${program.name}; fi
`

  function optionSpec([name, option]: [string, Option]): string {
    const help = option.summary.replace(/[[\]:]/g, '\\$&')
    if (option.kind === 'flag') return quoted(`--${name}[${help}]`)
    return quoted(`${option.kind === 'list' ? '*' : ''}--${name}=[${help}]:${option.value}:${action(option)}`)
  }

  function argumentSpec(argument: Argument, position: number): string {
    return quoted(`${position}:${argument.optional ? ':' : ''}${argument.name}:${action(argument)}`)
  }

  function action({ choices, completes }: Pick<Argument, 'choices' | 'completes'>): string {
    if (choices !== undefined) return `(${choices.join(' ')})`
    if (completes === 'file') return '_files'
    if (completes === 'directory') return '_directories'
    return completes === 'job' ? `_${program.name}_jobs` : ' '
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
