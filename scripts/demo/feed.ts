/** Lines that scroll by above a last line that stays. */
export interface Feed {
  /** Whole lines of text to scroll by. */
  write(text: string): void
  /** The last line, from now on. */
  keep(line: string): void
  /** Removes the last line. */
  end(): void
}

const CLEAR_LINE = '\r\u001b[K'

/** A feed on a terminal; `columns` is asked each time, because windows change their size. */
export function terminalFeed(print: (text: string) => void, columns: () => number): Feed {
  let kept = ''
  let partial = ''
  // A line that wraps could not be removed again, so it is cut.
  const last = (): string => (kept === '' ? '' : kept.slice(0, Math.max(0, columns() - 1)))
  return {
    write(text) {
      const end = text.lastIndexOf('\n') + 1
      const whole = partial + text.slice(0, end)
      if (end === 0) partial += text
      else {
        partial = text.slice(end)
        print(`${kept === '' ? '' : CLEAR_LINE}${whole}${last()}`)
      }
    },
    keep(line) {
      const before = kept === '' ? '' : CLEAR_LINE
      kept = line
      print(`${before}${last()}`)
    },
    end() {
      if (kept !== '') print(`${CLEAR_LINE}${partial}`)
      kept = ''
    },
  }
}
