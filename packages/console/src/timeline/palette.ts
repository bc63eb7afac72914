import { OUTCOME_KINDS, OUTCOME_STYLES, type OutcomeKind } from '@kron/core'

/** The colours of the page, read from its style sheet so that canvas and text agree in light and dark. */
export interface Palette {
  readonly surface: string
  readonly text: string
  readonly faint: string
  readonly line: string
  readonly accent: string
  readonly now: string
  readonly band: string
  readonly selected: string
  readonly outcomes: Readonly<Record<OutcomeKind, string>>
}

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const outcomes = OUTCOME_KINDS.map(kind => [kind, read(OUTCOME_STYLES[kind].colour)])
  return {
    surface: read('surface'),
    text: read('text'),
    faint: read('faint'),
    line: read('line'),
    accent: read('accent'),
    now: read('now'),
    band: read('band'),
    selected: read('selected'),
    outcomes: Object.fromEntries(outcomes) as Palette['outcomes'],
  }
}
