import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unpacked } from '../../scripts/debian.ts'

/** A real shell that completes lines with the scripts of a directory tree. */
export interface CompletingShell {
  readonly name: 'bash' | 'zsh' | 'fish'
  /** The completed last word of a line, if there is only one completion. */
  complete(line: string): string
}

/** Undefined where there is no such shell and none can be fetched. */
export const completingShells = (tree: string, env: Env): readonly (CompletingShell | undefined)[] => [
  bash(tree, env),
  zsh(tree, env),
  fish(tree, env),
]

export type Env = Readonly<Record<string, string>>
const share = (tree: string, path: string): string => join(tree, 'usr/share', path)
const programOf = (line: string): string => line.split(' ')[0]!
const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit']).status === 0

function bash(tree: string, env: Env): CompletingShell | undefined {
  if (!isThere('bash')) return undefined
  const complete = (line: string): string => {
    const words = line.split(' ')
    const script = `source '${share(tree, `bash-completion/completions/${programOf(line)}`)}'
      compopt() { :; }
      COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
      _${programOf(line)}; printf '%s\\n' "\${COMPREPLY[@]}"`
    return only(execFileSync('bash', ['--norc', '-c', script], { env, cwd: env['HOME'], encoding: 'utf8' }))
  }
  return { name: 'bash', complete }
}

function fish(tree: string, env: Env): CompletingShell | undefined {
  const root = isThere('fish') ? '' : unpacked('fish', 'fish-common', 'libpcre2-32-0')
  if (root === undefined) return undefined
  const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(each => `${root}/usr/lib/${each}`).join(':')
  const complete = (line: string): string => {
    const file = share(tree, `fish/vendor_completions.d/${programOf(line)}.fish`)
    const script = `set -p fish_function_path '${root}/usr/share/fish/functions'; source '${file}'; complete -C '${line}'`
    const options = {
      env: { ...env, LD_LIBRARY_PATH: libraries },
      cwd: env['HOME'],
      encoding: 'utf8',
    } as const
    return only(execFileSync(join(root, '/usr/bin/fish'), ['--no-config', '-c', script], options))
  }
  return { name: 'fish', complete }
}

/** Completion needs a terminal: a line is typed into one, TAB is pressed, and the line looked at. */
function zsh(tree: string, env: Env): CompletingShell | undefined {
  const root = isThere('zsh') ? '' : unpacked('zsh', 'zsh-common')
  if (root === undefined) return undefined
  const program = [`${root}/bin/zsh`, `${root}/usr/bin/zsh`].find(existsSync)!
  const functions = `${root}/usr/share/zsh/functions`
  const paths =
    root === '' ? '' : `module_path=(${root}/usr/lib/*/zsh/*(N)) fpath=(${functions} ${functions}/**/*(/N));`
  const complete = (line: string): string => {
    const script = `${paths} zmodload zsh/zpty
      zpty inner ${program} -f -i
      await() { local said= part; until [[ $said == *$1* ]]; do zpty -r inner part || exit 1; said+=$part; done; print -r -- $said; }
      zpty -w inner '${paths} PS1=; fpath=(${share(tree, 'zsh/vendor-completions')} $fpath)'
      zpty -w inner 'autoload -Uz compinit; compinit -u -d "$HOME/zcompdump"; tell() { print -r -- "<$BUFFER>"; }; zle -N tell; bindkey "^B" tell'
      zpty -w inner 'print rea""dy'
      await ready > /dev/null
      zpty -w -n inner $'${line.replaceAll("'", "\\'")}\\t\\C-b'
      await '>'`
    const said = execFileSync(program, ['-f', '-c', script], { env, cwd: env['HOME'], encoding: 'utf8' })
    return /<(.*)>/.exec(said)?.[1]?.trim().split(/[ =]/).at(-1) ?? ''
  }
  return { name: 'zsh', complete }
}

/** The only candidate, without its description. */
function only(candidates: string): string {
  const lines = candidates.split('\n').filter(line => line !== '')
  return lines.length === 1 ? lines[0]!.split('\t')[0]! : `one of ${lines.length}`
}
