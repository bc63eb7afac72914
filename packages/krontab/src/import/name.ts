import { createHash } from 'node:crypto'

const LONGEST = 40

/** Words that prepare or wrap what a command line is about. */
const ASIDE = new Set(
  'cd test [ if then fi else elif sleep set export true false umask ulimit source . command which echo printf exit perl-e'.split(
    ' ',
  ),
)
const WRAPPERS = new Set(
  'exec nice ionice sudo env nohup chronic flock timeout setsid time chrt systemd-cat'.split(' '),
)
const INTERPRETERS = new Set(
  'sh bash dash zsh ksh php python python3 python2 perl ruby node java npx npm make docker podman kubectl curl wget run-parts find bundle rake'.split(
    ' ',
  ),
)

/** A name for a command line: of the program it is about, not of what prepares it. */
export function nameOfCommand(command: string): string {
  for (const piece of command.split(/&&|\|\||[;|(){}\n]/)) {
    const name = nameOfPiece(piece.trim().split(/\s+/))
    if (name !== '') return name
  }
  return 'job'
}

function nameOfPiece(words: readonly string[]): string {
  let at = 0
  const skip = (): void => {
    while (at < words.length && (/^-|^[A-Za-z_]\w*=/.test(words[at]!) || /^[\d.]+[smhd]?$/.test(words[at]!)))
      at++
  }
  skip()
  while (at < words.length && WRAPPERS.has(programOf(words[at]!))) {
    const wrapper = programOf(words[at++]!)
    skip()
    if (wrapper === 'flock') at++
  }
  const program = programOf(words[at] ?? '')
  if (program === '' || ASIDE.has(program)) return ''
  if (!INTERPRETERS.has(program.replace(/[\d.]+$/, '')) && !INTERPRETERS.has(program)) return slug(program)
  const subject = words.slice(at + 1).find(word => !/^-/.test(word) && slug(programOf(word)) !== '')
  return slug(subject === undefined ? program : programOf(subject)) || slug(program)
}

const programOf = (word: string): string =>
  word
    .replace(/^["'`$]+|["'`]+$/g, '')
    .replace(/\/+$/, '')
    .replace(/^.*\//, '')

/** Lower-case letters, digits and dashes; a script's suffix says nothing. */
export const slug = (text: string): string =>
  text
    .replace(/\.(sh|bash|py|pl|php|rb|js|mjs|ts|jar|service|timer)$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '')

/**
 * Unique names that do not depend on the order: where several wish for one name, each gets a digest of what it is.
 * Only lines that are wholly alike are numbered.
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
