import { OUTCOME_KINDS, OUTCOME_STYLES, type OutcomeKind } from '@kron/core'

const NAMES = ['surface', 'text', 'faint', 'line', 'accent', 'now', 'band', 'selected'] as const

/** The colours of the page, read from its style sheet so that canvas and text agree in light and dark. */
export type Palette = Readonly<Record<(typeof NAMES)[number], string>> & {
  readonly outcomes: Readonly<Record<OutcomeKind, string>>
}

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const outcomes = OUTCOME_KINDS.map(kind => [kind, read(OUTCOME_STYLES[kind].colour)])
  const colours = NAMES.map(name => [name, read(name)])
  return { ...Object.fromEntries(colours), outcomes: Object.fromEntries(outcomes) }
}
