import type { LineFault } from './fault.ts'

export const BOM = '\uFEFF'
export const RETURN = 13

/** Mistakes of the text as a whole; it is parsed anyway. */
export function encodingFaults(text: string): LineFault[] {
  const faults: LineFault[] = []
  if (text.startsWith(BOM)) {
    const message = 'the file starts with a byte order mark (BOM)'
    faults.push({
      category: 'ConfigurationError',
      message,
      hint: 'save it without BOM',
      at: 0,
      length: 0,
      line: 1,
      source: '',
    })
  }
  const body = text.startsWith(BOM) ? text.slice(1) : text
  const at = body.indexOf('\r\n')
  if (at >= 0) faults.push(carriageReturns(body, at))
  return faults
}

/** One fault for all carriage returns: usually every line of a file has one, or none has. */
function carriageReturns(text: string, first: number): LineFault {
  const source = text.slice(text.lastIndexOf('\n', first) + 1, first)
  const count = occurrences(text, '\r\n', text.length)
  return {
    category: 'ConfigurationError',
    message: `${count === 1 ? 'a line ends' : `${count} lines end`} with a carriage return (CRLF)`,
    hint: "convert the file: sed -i 's/\\r$//' FILE",
    at: source.length,
    length: 0,
    line: occurrences(text, '\n', first) + 1,
    source,
  }
}

function occurrences(text: string, part: string, until: number): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0 && at < until; at = text.indexOf(part, at + 1)) count++
  return count
}
