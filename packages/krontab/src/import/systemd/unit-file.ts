import type { Source } from '../sources.ts'

/** One `Key=value` of a unit file. */
export interface Directive {
  readonly section: string
  readonly key: string
  readonly value: string
  readonly file: string
  /** The number of its first line, from 1. */
  readonly line: number
}

/** The directives of a unit: its file first, then its drop-ins, in their order. */
export function readUnit(files: readonly Source[]): Directive[] {
  return files.flatMap(({ path, text }) => readFile(path, text))
}

function readFile(file: string, text: string): Directive[] {
  const directives: Directive[] = []
  let section = ''
  let pending = ''
  let start = 0
  for (const [i, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim()
    // Comments may stand between the parts of a continued line.
    if (/^[#;]/.test(line)) continue
    if (pending === '') start = i + 1
    const whole = pending + line
    if (whole.endsWith('\\')) {
      pending = `${whole.slice(0, -1)} `
      continue
    }
    pending = ''
    const header = /^\[(.*)\]$/.exec(whole)
    const equals = whole.indexOf('=')
    if (header !== null) section = header[1]!
    else if (equals > 0) {
      const key = whole.slice(0, equals).trim()
      directives.push({ section, key, value: whole.slice(equals + 1).trim(), file, line: start })
    }
  }
  return directives
}

/** The directives in force for a key: an empty one cancels those before it. */
export function listed(directives: readonly Directive[], key: string): Directive[] {
  let held: Directive[] = []
  for (const directive of directives) {
    if (directive.key !== key) continue
    held = directive.value === '' ? [] : [...held, directive]
  }
  return held
}

/** The last directive for a key. */
export const last = (directives: readonly Directive[], key: string): Directive | undefined =>
  listed(directives, key).at(-1)

export const isTrue = (directive: Directive | undefined): boolean =>
  directive !== undefined && /^(?:1|yes|y|true|t|on)$/i.test(directive.value)
