import { type Faults, quote } from '@kron/core'
import { INHERIT, type Output } from './entry.ts'
import { flat } from './flat.ts'
import { placeIn, type Word } from './words.ts'

const DISCARD: Output = { kind: 'discard' }
const SYSLOG: Output = { kind: 'syslog' }
const FILE = 'file:'
const TOKENS = 'YmdHMSN%'

export function readOutput(word: Word, faults: Faults): Output | undefined {
  const { value, key } = word
  if (value.text === 'inherit') return INHERIT
  if (value.text === 'discard') return DISCARD
  if (value.text === 'syslog') return SYSLOG
  if (!value.text.startsWith(FILE)) {
    const hint = 'it is inherit, discard, syslog or file:/absolute/path'
    return faults.syntax(word.raw, `${key.text} cannot be ${quote(value.text)}`, hint)
  }
  const path = value.text.slice(FILE.length)
  if (!path.startsWith('/')) {
    return faults.syntax(
      word.raw,
      `${quote(path)} is not an absolute path`,
      `write ${key.text}=file:/var/log/job.log`,
    )
  }
  for (let at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 2)) {
    const token = path.slice(at, at + 2)
    if (token.length === 2 && TOKENS.includes(token[1]!)) continue
    const where = { text: token, at: placeIn(word, FILE.length + at) }
    return faults.syntax(where, `unknown token ${quote(token)}`, 'tokens are %Y %m %d %H %M %S %N and %%')
  }
  return { kind: 'file', path: flat(path) }
}

export const printOutput = (output: Output): string =>
  output.kind === 'file' ? `${FILE}${output.path}` : output.kind

/** The path of an output file: date and time are those of the chosen time in UTC; `/` in the name becomes `-`. */
export function expandPath(path: string, name: string, chosenTime: string): string {
  const [date = '', time = ''] = chosenTime.slice(0, 19).split('T')
  const [year = '', month = '', day = ''] = date.split('-')
  const [hour = '', minute = '', second = ''] = time.split(':')
  const parts: Readonly<Record<string, string>> = {
    '%Y': year,
    '%m': month,
    '%d': day,
    '%H': hour,
    '%M': minute,
    '%S': second,
    '%N': name.replaceAll('/', '-'),
    '%%': '%',
  }
  return path.replace(/%./g, token => parts[token] ?? token)
}
