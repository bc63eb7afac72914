import { createHash } from 'node:crypto'

const LONGEST = 40

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Programs that prepare something, or test whether to continue. */
const ASIDE = words(
  'cd test [ [[ sleep set export true false umask ulimit source . command which echo printf exit date',
)
/** Words that stand before the program that matters. */
const WRAPPERS = words(
  'if then else elif do ! exec nice ionice sudo env nohup chronic flock timeout setsid time chrt',
)
/** Programs whose first argument matters more than they do. */
const CARRIERS = words(
  'sh bash dash zsh ksh php python perl ruby node java npx npm make docker podman kubectl curl wget run-parts bundle rake',
)
const SUBCOMMANDS = words('run exec compose up rake')

/** A name for a command line, from the program that matters, not from one that prepares it. */
export function nameOfCommand(command: string): string {
  const inner = /^(?:\S*\/)?(?:ba|da|z|k)?sh(?: -\w+)* (["'])(.*)\1$/.exec(command)?.[2]
  const bare = (inner ?? command)
    .replace(/\$\(\(.*?\)\)|\$\([^()]*\)|`[^`]*`/g, '')
    .replace(/'[^']*'|"[^"]*"/g, quoted => (/[\s;&|]/.test(quoted) ? "''" : quoted))
  const pieces = bare.split(/&&|\|\||[;|(){}\n]/).map(piece => piece.trim().split(/\s+/))
  for (const piece of pieces) {
    const name = nameOfPiece(piece)
    if (name !== '') return name
  }
  return slug(programOf(pieces[0]?.[0] ?? '')) || 'job'
}

function nameOfPiece(words: readonly string[]): string {
  let at = 0
  const skip = (): void => {
    while (/^-|^[A-Za-z_]\w*=|^[\d.]+[smhd]?$/.test(words[at] ?? '')) at++
  }
  skip()
  while (WRAPPERS.has(programOf(words[at] ?? ''))) {
    const wrapper = programOf(words[at++]!)
    skip()
    if (wrapper === 'flock') at++
    if (wrapper === 'sudo' && words[at - 1] === '-u') at++
  }
  const program = programOf(words[at] ?? '')
  if (ASIDE.has(program)) return ''
  if (!CARRIERS.has(program.replace(/[\d.]+$/, ''))) return slug(program)
  const subject = words.slice(at + 1).find(word => !/^[-']/.test(word) && !SUBCOMMANDS.has(programOf(word)))
  return subject === undefined ? '' : slug(programOf(subject))
}

const programOf = (word: string): string =>
  word
    .replace(/^["'`$]+|["'`]+$/g, '')
    .replace(/\?.*$/, '')
    .replace(/\/+$/, '')
    .replace(/^.*\//, '')

/** Lower-case letters, digits and dashes; the suffix of a script is dropped. */
export const slug = (text: string): string =>
  text
    .replace(/\.(sh|bash|py|pl|php|rb|js|mjs|ts|jar|service|timer)$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '')

/**
 * Unique names that do not depend on the order: if several jobs prefer one name, each gets a digest of its content.
 * Only identical lines are numbered.
 */
export function uniqueNames(jobs: readonly { readonly wish: string; readonly content: string }[]): string[] {
  const wishes = new Map<string, number>()
  for (const { wish } of jobs) wishes.set(wish, (wishes.get(wish) ?? 0) + 1)
  const taken = new Set<string>()
  return jobs.map(({ wish, content }) => {
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 6)
    const base = wishes.get(wish) === 1 ? wish : `${wish}-${digest}`
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`
    taken.add(name)
    return name
  })
}
