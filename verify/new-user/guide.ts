/** Follows a page as a reader would: saves the programs it shows under the names they have, and types its commands. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, blocksOf, isAsShown, type Shown, shownIn } from '../../scripts/docs/blocks.ts'
import type { Machine, Typed } from './clean-root.ts'

/** The commands of a page that are meant to be typed; a block with a here-document is one command. */
export const typedOf = (text: string): string[] => blocksOf(text).filter(isTyped).flatMap(linesOf)

const isTyped = ({ language, claim }: Block): boolean => language === 'sh' && claim.kind !== 'unchecked'

const linesOf = ({ text }: Block): string[] =>
  text.includes('<<')
    ? [text]
    : text
        .split('\n')
        .map(line => line.replace(/\s+#.*$/, ''))
        .filter(line => line !== '')

/** The commands of a page that are shown with what they print. */
export const shownOf = (text: string): Shown[] =>
  blocksOf(text)
    .filter(({ claim }) => claim.kind === 'shown')
    .flatMap(block => shownIn(block.text))

/** A program that waits is interrupted, as by Ctrl-C, once it has said how to stop it. */
const untilCtrlC = (line: string): string =>
  `${line} > said & until grep -q Ctrl-C said; do sleep 0.1; done; kill -INT $!; wait $!`

export interface Walk {
  /** Commands that run until Ctrl-C. */
  readonly waiting?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Followed extends Typed {
  /** Commands that did not print what the page shows, with what they printed. */
  readonly differing: readonly string[]
}

/** Types everything of a page, in a new directory, until something fails. */
export function follow(machine: Machine, page: string, { waiting = [], env = {} }: Walk = {}): Followed {
  const text = readFileSync(join(machine.clone, page), 'utf8')
  const directory = `/home/new/followed/${page.replace(/^.*\/|\.md$/g, '')}`
  const outputs: { shown: Shown; file: string }[] = []
  const steps = blocksOf(text).flatMap(block => {
    if (isTyped(block)) return linesOf(block).map(line => (waiting.includes(line) ? untilCtrlC(line) : line))
    if (block.claim.kind === 'shown')
      return shownIn(block.text).map(shown => {
        const file = `${directory}/printed-${outputs.length}`
        outputs.push({ shown, file })
        return `${shown.command} > ${file}`
      })
    const name = nameOf(block)
    return name === undefined ? [] : [`cat > ${name} <<'END_OF_PROGRAM'\n${block.text}END_OF_PROGRAM`]
  })
  const typed = machine.type(`mkdir -p ${directory} && cd ${directory} && set -eux\n${steps.join('\n')}`, {
    env,
  })
  const differing = outputs.flatMap(({ shown: { command, output }, file }) => {
    const printed = typed.status === 0 ? readFileSync(join(machine.root, file), 'utf8') : ''
    return isAsShown(output, printed) ? [] : [`${command} prints:\n${printed}`]
  })
  return { ...typed, differing }
}

/** The file under which a reader saves a program: its first line says so. */
const nameOf = ({ claim, text }: Block): string | undefined =>
  claim.kind === 'program' ? /^\/\/ (\S+\.mjs)\n/.exec(text)?.[1] : undefined

/** Lines of a page with programs that a reader could not save, because they have no name. */
export const unnamedPrograms = (text: string): number[] =>
  blocksOf(text)
    .filter(block => block.claim.kind === 'program' && nameOf(block) === undefined)
    .map(({ line }) => line)
