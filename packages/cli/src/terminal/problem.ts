import { caret } from '@kron/core'
import { visible } from '../visible.ts'
import type { Style } from './style.ts'

/** A finding in a file; line and column count from 1. */
export interface Problem {
  readonly line: number | null
  readonly column: number | null
  readonly length: number
  readonly message: string
  readonly hint: string
  readonly source: string
}

/** A finding as compilers print it, with the line and a caret. */
export function problemText(
  file: string,
  kind: 'error' | 'warning',
  rule: string,
  problem: Problem,
  style: Style,
): string {
  const { line, column, length, message, hint, source } = problem
  const place = line === null ? file : `${file}:${line}:${column}`
  const label = (kind === 'error' ? style.bad : style.warn)(`${kind}:`)
  const tag = rule === '' ? '' : style.faint(` [${rule}]`)
  const lines = [`${style.strong(place)}: ${label} ${visible(message)}${tag}`]
  if (source !== '' && column !== null) {
    lines.push(
      ...caret({ column, length, source: visible(source) })
        .split('\n')
        .map(each => `  ${each}`),
    )
  }
  if (hint !== '') lines.push(`  ${style.faint('hint:')} ${visible(hint)}`)
  return `${lines.join('\n')}\n`
}
