import type { Appearance } from '../model/outcome.ts'

/** The colours of the page, read from its style sheet so that canvas and text agree in light and dark. */
export interface Palette {
  readonly text: string
  readonly faint: string
  readonly line: string
  readonly accent: string
  readonly now: string
  readonly band: string
  readonly selected: string
  readonly outcomes: Readonly<Record<Appearance, string>>
}

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return {
    text: read('text'),
    faint: read('faint'),
    line: read('line'),
    accent: read('accent'),
    now: read('now'),
    band: read('band'),
    selected: read('selected'),
    outcomes: {
      succeeded: read('succeeded'),
      failed: read('failed'),
      unknown: read('unknown'),
      skipped: read('skipped'),
      missed: read('missed'),
      unschedulable: read('unschedulable'),
      running: read('running'),
    },
  }
}
