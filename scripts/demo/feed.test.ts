import assert from 'node:assert/strict'
import { test } from 'node:test'
import { terminalFeed } from './feed.ts'

/** The rows of a terminal that knows line ends, returns and "clear to the end of the line". */
function screen(): { print: (text: string) => void; rows: () => string[] } {
  let text = ''
  return {
    print: more => {
      text += more
    },
    rows: () =>
      text.split('\n').map(row => row.slice(row.lastIndexOf('\r\u001b[K') + 1).replace('\u001b[K', '')),
  }
}

test('the last line stays below everything that scrolls by', () => {
  const { print, rows } = screen()
  const feed = terminalFeed(print, () => 80)
  feed.write('one\n')
  feed.keep('console: http://127.0.0.1:9723/')
  feed.write('two\nthr')
  feed.write('ee\n')
  assert.deepEqual(rows(), ['one', 'two', 'three', 'console: http://127.0.0.1:9723/'])
  feed.end()
  feed.write('stopped\n')
  assert.deepEqual(rows(), ['one', 'two', 'three', 'stopped', ''])
})

test('the last line never wraps', () => {
  const { print, rows } = screen()
  const feed = terminalFeed(print, () => 11)
  feed.keep('console: http://127.0.0.1:9723/')
  assert.deepEqual(rows(), ['console: h'])
})
