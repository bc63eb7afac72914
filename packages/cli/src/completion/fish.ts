import { type Argument, type Command, optionsOf } from '../spec.ts'

export function fishCompletion(program: Command, jobs: string): string {
  const complete = `complete -c ${program.name}`
  const lines = [`# fish completion for ${program.name}`, `${complete} -f`]
  for (const { name, summary } of program.commands ?? []) {
    lines.push(`${complete} -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`)
  }
  for (const command of program.commands ?? [program]) {
    const when = command === program ? '' : ` -n '__fish_seen_subcommand_from ${command.name}'`
    for (const each of command.arguments ?? []) {
      const offered = offer(each, jobs)
      if (offered !== '') lines.push(`${complete}${when} ${offered}`)
    }
    for (const [name, option] of Object.entries(optionsOf(program, command))) {
      const value = option.kind === 'flag' ? '' : ` -r ${offer(option, jobs)}`.trimEnd()
      lines.push(`${complete}${when} -l ${name}${value} -d ${quoted(option.summary)}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function offer({ choices, completes }: Pick<Argument, 'choices' | 'completes'>, jobs: string): string {
  if (choices !== undefined) return `-a ${quoted(choices.join(' '))}`
  if (completes === 'file') return '-F'
  if (completes === 'directory') return `-a '(__fish_complete_directories)'`
  return completes === 'job' ? `-a ${quoted(`(${jobs} 2>/dev/null)`)}` : ''
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
