import { control } from '../visible.ts'
import type { Terminal } from './terminal.ts'

export type Paint = (text: string) => string

export type Style = Readonly<Record<'strong' | 'faint' | 'good' | 'bad' | 'warn' | 'accent', Paint>>

const plain: Paint = text => text
const painted =
  (code: number, end: number): Paint =>
  text =>
    text === '' ? '' : `${control(`${code}m`)}${text}${control(`${end}m`)}`

const PLAIN: Style = { strong: plain, faint: plain, good: plain, bad: plain, warn: plain, accent: plain }
const COLOURED: Style = {
  strong: painted(1, 22),
  faint: painted(2, 22),
  good: painted(32, 39),
  bad: painted(31, 39),
  warn: painted(33, 39),
  accent: painted(36, 39),
}

export const styleOf = ({ colour }: Pick<Terminal, 'colour'>): Style => (colour ? COLOURED : PLAIN)
