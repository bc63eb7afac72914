import { caret } from '@kron/core'
import { visible } from '@kron/runtime/cli'
import type { Problem } from '../lint/report.ts'
import type { Style } from './style.ts'

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
