/** A command line of crontab(1). */
export type CrontabCommand =
  | { readonly action: 'install' | 'test'; readonly file: string; readonly user: string | undefined }
  | { readonly action: 'list' | 'edit'; readonly user: string | undefined }
  | { readonly action: 'remove'; readonly user: string | undefined; readonly asks: boolean }
  | { readonly action: 'help' | 'version' }
  | { readonly action: 'mistake'; readonly message: string }

export const USAGE = `usage: crontab [-u USER] FILE     install FILE, or - for standard input
       crontab [-u USER] -l       list the crontab
       crontab [-u USER] -e       edit it with $VISUAL or $EDITOR, check it and install it
       crontab [-u USER] [-i] -r  remove it; -i asks first
       crontab -T FILE            check FILE and install nothing

A crontab with a mistake is never installed. Root may name another user with -u.

Examples:
  crontab -e
  (crontab -l; echo '0 2 * * * backup') | crontab -
`

/** Parses options like crontab(1) of Debian and cronie: letters may be joined, -u and -T take an argument. */
export function parseCrontabArguments(words: readonly string[]): CrontabCommand {
  const letters = new Set<string>()
  const operands: string[] = []
  let user: string | undefined
  let tested: string | undefined
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (word === '--help') return { action: 'help' }
    if (word === '--version') return { action: 'version' }
    if (word === '-' || !word.startsWith('-')) operands.push(word)
    else
      for (let at = 1; at < word.length; at++) {
        const letter = word[at]!
        if ('uT'.includes(letter)) {
          const value = word.slice(at + 1) || words[++i]
          if (value === undefined) return { action: 'mistake', message: `-${letter} needs a word after it` }
          if (letter === 'u') user = value
          else tested = value
          break
        }
        if (letter === 'h') return { action: 'help' }
        if (letter === 'V') return { action: 'version' }
        if (!'leri'.includes(letter)) return { action: 'mistake', message: `there is no option -${letter}` }
        letters.add(letter)
      }
  }
  const actions = ['l', 'e', 'r'].filter(letter => letters.has(letter))
  const count = actions.length + operands.length + (tested === undefined ? 0 : 1)
  if (count !== 1) return { action: 'mistake', message: 'give exactly one of -l, -e, -r, -T FILE and FILE' }
  if (tested !== undefined) return { action: 'test', file: tested, user }
  if (operands.length === 1) return { action: 'install', file: operands[0]!, user }
  if (actions[0] === 'r') return { action: 'remove', user, asks: letters.has('i') }
  return { action: actions[0] === 'l' ? 'list' : 'edit', user }
}
