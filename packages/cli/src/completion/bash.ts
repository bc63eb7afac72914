import { type Command, type Completes, optionsOf } from '../spec.ts'

export function bashCompletion(program: Command, jobs: string): string {
  const commands = program.commands ?? [program]
  const names = commands.map(each => each.name)
  // A program without commands is its own only command.
  const initial = program.commands === undefined ? program.name : ''
  const reply = (source: string): string => `mapfile -t COMPREPLY < <(${source} -- "$cur")`
  const offer = (from: { choices?: readonly string[]; completes?: Completes }): string => {
    if (from.choices !== undefined) return reply(`compgen -W '${from.choices.join(' ')}'`)
    if (from.completes === 'file') return `compopt -o filenames; ${reply('compgen -f')}`
    if (from.completes === 'directory') return `compopt -o filenames; ${reply('compgen -d')}`
    return from.completes === 'job'
      ? reply(`compgen -W "$(${jobs} "\${files[@]}" 2>/dev/null)"`)
      : 'COMPREPLY=()'
  }
  const values = commands.flatMap(command =>
    Object.entries(optionsOf(program, command))
      .filter(([, option]) => option.kind !== 'flag')
      .map(([name, option]) => {
        const short = option.short === undefined ? '' : `|'${command.name} -${option.short}'`
        return `    '${command.name} --${name}'${short}) ${offer(option as { completes?: Completes })}; return ;;`
      }),
  )
  const words = commands.map(command => {
    const options = Object.keys(optionsOf(program, command)).map(name => `--${name}`)
    const first = command.arguments?.[0]
    return `    ${command.name})
      if [[ $cur == -* ]]; then ${reply(`compgen -W '${options.join(' ')}'`)}
      else ${first === undefined ? 'COMPREPLY=()' : offer(first)}; fi ;;`
  })
  return `# bash completion for ${program.name}
_${program.name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command=${initial} i
  local -a files=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    ${names.join('|')}) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  # The jobs of the files that are named already.
  for ((i = 2; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i - 1]} in -f | --file) files+=(--file "\${COMP_WORDS[i]}") ;; esac
  done
  case "$command $prev" in
${values.join('\n')}
  esac
  case $command in
    '') ${reply(`compgen -W '${names.join(' ')} --help --version'`)} ;;
${words.join('\n')}
  esac
}
complete -F _${program.name} ${program.name}
`
}
