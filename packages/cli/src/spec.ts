/** A command line described once: parsing, `--help`, completions and man pages all come from this. */
export interface Command {
  readonly name: string
  /** One line, without a full stop. */
  readonly summary: string
  /** Paragraphs for the help text and the man page. */
  readonly details?: readonly string[]
  readonly arguments?: readonly Argument[]
  readonly options?: Options
  readonly examples?: readonly Example[]
  readonly exits?: readonly Exit[]
  /** A program is a command that has commands; its options hold for all of them. */
  readonly commands?: readonly Command[]
  /** Advice for options that people know from another program, such as `-e` of crontab. */
  readonly otherOptions?: Readonly<Record<string, string>>
  /** Subjects of `help` that are no commands. */
  readonly topics?: readonly Topic[]
}

export interface Topic {
  readonly name: string
  /** One line, without a full stop. */
  readonly summary: string
  /** Lines as they are shown. */
  readonly lines: readonly string[]
}

/** The kind of words that a shell may offer. */
export type Completes = 'file' | 'directory' | 'job'

export interface Argument {
  readonly name: string
  readonly summary: string
  readonly optional?: boolean
  readonly choices?: readonly string[]
  readonly completes?: Completes
}

export type Options = Readonly<Record<string, Option>>

export type Option = Flag | ValueOption

export interface Flag {
  readonly kind: 'flag'
  readonly summary: string
  readonly short?: string
}

export interface ValueOption {
  /** `list` may be given several times. */
  readonly kind: 'text' | 'list'
  /** The placeholder of the value in the help text. */
  readonly value: string
  readonly summary: string
  readonly short?: string
  readonly choices?: readonly string[]
  readonly completes?: Completes
  /** The value if the option is not given. The help text shows it; the command applies it. */
  readonly otherwise?: string
}

export interface Example {
  readonly line: string
  readonly does: string
}

export interface Exit {
  readonly code: number
  readonly when: string
}

/** The options of a command. One that was not given is false, undefined or an empty list. */
export type Given<O extends Options> = {
  readonly [Name in keyof O]: O[Name]['kind'] extends 'flag'
    ? boolean
    : O[Name]['kind'] extends 'list'
      ? readonly string[]
      : string | undefined
}

export type GivenValue = boolean | string | readonly string[] | undefined

/** Every program has these two. */
export const COMMON_OPTIONS = {
  help: { kind: 'flag', short: 'h', summary: 'show this help' },
  version: { kind: 'flag', short: 'V', summary: 'show the version' },
} as const satisfies Options

export const optionsOf = (program: Command, command: Command | undefined): Options => ({
  ...command?.options,
  ...program.options,
  ...COMMON_OPTIONS,
})

/** Short forms for the table: `replace: flag('…')`, `to: text('DIR', '…', { otherwise: '…' })`, `exits: exits({ 0: '…' })`. */
export const flag = (summary: string, more: Pick<Flag, 'short'> = {}) =>
  ({ kind: 'flag', summary, ...more }) as const

type More = Omit<ValueOption, 'kind' | 'value' | 'summary'>

export const text = (value: string, summary: string, more: More = {}) =>
  ({ kind: 'text', value, summary, ...more }) as const

export const list = (value: string, summary: string, more: More = {}) =>
  ({ kind: 'list', value, summary, ...more }) as const

/** The exit codes in ascending order. */
export const exits = (meanings: Readonly<Record<number, string>>): readonly Exit[] =>
  Object.entries(meanings).map(([code, when]) => ({ code: Number(code), when }))
