const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const STEPS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** A horizontal bar of `share` (0 to 1) of a width; what is more than nothing is never drawn as nothing. */
export function bar(share: number, width: number, unicode: boolean): string {
  if (share <= 0) return ''
  if (!unicode) return '#'.repeat(Math.max(1, Math.round(share * width)))
  const eighths = Math.max(1, Math.round(share * width * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!
}

/** Columns of the given heights (0 to 1) as rows of text, the top one first. */
export function columnChart(heights: readonly number[], rows: number, unicode: boolean): string[] {
  const steps = unicode ? 8 : 2
  const levels = heights.map(height => (height <= 0 ? 0 : Math.max(1, Math.round(height * rows * steps))))
  return Array.from({ length: rows }, (_, i) => {
    const floor = (rows - 1 - i) * steps
    return levels.map(level => glyph(level - floor, unicode)).join('')
  })
}

function glyph(filled: number, unicode: boolean): string {
  if (unicode) return STEPS[Math.min(8, Math.max(0, filled))]!
  return filled >= 2 ? '#' : filled === 1 ? '.' : ' '
}
