import { stripVTControlCharacters } from 'node:util'

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

/** How many columns a text takes on a terminal. */
export function columns(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let sum = 0
  for (const character of stripVTControlCharacters(text)) {
    if (!/\p{M}/u.test(character)) sum += WIDE.test(character) ? 2 : 1
  }
  return sum
}

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - columns(text)))
export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - columns(text))) + text

/** Cut to a width, with an ellipsis where something is missing; the text must be without colours if it is too long. */
export function cut(text: string, width: number): string {
  if (columns(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (columns(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

export const plural = (count: number, noun: string): string =>
  `${grouped(count)} ${count === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`

/** 1234567 → 1,234,567 */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')
