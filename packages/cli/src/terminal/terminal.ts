/** How to draw on standard output. */
export interface Terminal {
  readonly width: number
  readonly colour: boolean
  readonly unicode: boolean
  /** Whether a line that is overwritten again and again can be shown on standard error. */
  readonly progress: boolean
}

const DEFAULT_WIDTH = 80
const NARROWEST = 40
const WIDEST = 160

export interface Screen {
  /** Undefined if standard output is no terminal. */
  readonly columns: number | undefined
  readonly progress: boolean
}

export function terminalOf(
  env: Readonly<Record<string, string | undefined>>,
  { columns, progress }: Screen,
): Terminal {
  const width = Number(env['COLUMNS']) || columns || DEFAULT_WIDTH
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return {
    width: Math.min(WIDEST, Math.max(NARROWEST, width)),
    colour: columns !== undefined && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    unicode: /utf-?8/i.test(locale),
    progress: progress && env['TERM'] !== 'dumb',
  }
}
