/** The claims of the documents' code blocks, by the words behind their fence (see CONTRIBUTING.md). */
export type Claim =
  /** `sh`: typed in a sandbox, all blocks of a page one after the other. `<!-- sh` is the same, unseen. */
  | { readonly kind: 'typed' }
  /** `console`: lines after `$ ` are typed, and what follows is what they print; `...` stands for any lines. */
  | { readonly kind: 'shown' }
  /** `kron`: lines of a job file, without mistakes. */
  | { readonly kind: 'jobs' }
  /** `ts`, `js`: a program that runs to its end, or until SIGTERM. */
  | { readonly kind: 'program' }
  /** `yaml`: manifests of KronJobs, or alerts on metrics that exist. */
  | { readonly kind: 'manifest' }
  /** `… run by FILE`: another test types or runs it. */
  | { readonly kind: 'elsewhere'; readonly test: string }
  /** `… not run: WHY` */
  | { readonly kind: 'unchecked'; readonly why: string }
  | { readonly kind: 'nothing' }

export interface Block {
  readonly claim: Claim
  readonly language: string
  readonly line: number
  readonly text: string
}

const BY_LANGUAGE: Readonly<Record<string, Claim>> = {
  sh: { kind: 'typed' },
  console: { kind: 'shown' },
  kron: { kind: 'jobs' },
  ts: { kind: 'program' },
  js: { kind: 'program' },
  yaml: { kind: 'manifest' },
}

function claimOf(info: string): Claim {
  const [, why] = /^\w+ not run: (.+)$/.exec(info) ?? []
  if (why !== undefined) return { kind: 'unchecked', why }
  const [, test] = /^\w+ run by (\S+)$/.exec(info) ?? []
  if (test !== undefined) return { kind: 'elsewhere', test }
  return BY_LANGUAGE[info] ?? { kind: 'nothing' }
}

/** The blocks of a page in their order; those in lists lose their indentation. */
export function blocksOf(page: string): Block[] {
  const fence = /^( *)```(.*)\n([\s\S]*?)^ *```$|^<!-- (sh)\n([\s\S]*?)^-->$/gm
  return [...page.matchAll(fence)].map(match => {
    const [, indent = '', info = match[4] ?? '', text = match[5] ?? ''] = match
    return {
      claim: claimOf(info),
      language: info.split(' ')[0]!,
      line: page.slice(0, match.index).split('\n').length,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }
  })
}

/** A page as readers see it. */
export const withoutComments = (page: string): string =>
  page.replace(/^<!-- (?:sh\n[\s\S]*?^|.*)-->\n+/gm, '')

export interface Shown {
  readonly command: string
  readonly output: string
}

/** The commands of a `console` block with what is printed below each. */
export const shownIn = (text: string): Shown[] =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...output] = part.split('\n')
      return { command, output: output.join('\n') }
    })

/** Whether an output is as shown: a line `...` stands for any lines, ends of lines do not matter. */
export function isAsShown(shown: string, output: string): boolean {
  const lines = (text: string): string[] =>
    text
      .replace(/[ \t]+$/gm, '')
      .trim()
      .split('\n')
  const exactly = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = lines(shown).map(line => (line.trim() === '...' ? '(?:.*\n)*' : `${exactly(line)}\n`))
  return new RegExp(`^${pattern.join('')}$`).test(`${lines(output).join('\n')}\n`)
}
