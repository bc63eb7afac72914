import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROGRAM } from '@kron/testkit/cli/demo'
import { fill, helpText } from './help.ts'

test('the help of a program lists its commands', () => {
  assert.equal(
    helpText(PROGRAM, undefined, 80),
    `demo: shows how commands are described

Usage:
  demo <command> [options]

Commands:
  show  show a job
  list  list the user's jobs

Options:
  --format FORMAT  how to print (text | json)
  -h, --help       show this help
  -V, --version    show the version

demo <command> --help tells more about a command.
`,
  )
})

test('the help of a command has its arguments, options, an example and its exit status', () => {
  assert.equal(
    helpText(PROGRAM, PROGRAM.commands![0], 60),
    `demo show: show a job

Usage:
  demo show <job> [<shell>] [options]

It shows the job that is named, and it says so in a
paragraph that is long enough to be filled.

Arguments:
  <job>    which job
  <shell>  which shell

Options:
  -f, --file FILE  a file to read (may be repeated)
  --count N        how many (default: 10)
  -q, --quiet      say less
  --format FORMAT  how to print (text | json)
  -h, --help       show this help
  -V, --version    show the version

Example:
  demo show backup
      shows the job backup

Exit status:
  0  shown
`,
  )
})

test('text is filled to the width and never loses a word', () => {
  assert.deepEqual(fill('one two three', 7), ['one two three'], 'not below the narrowest width')
  const text = 'word '.repeat(40).trim()
  const lines = fill(text, 33)
  assert.ok(lines.every(line => line.length <= 33))
  assert.equal(lines.join(' '), text)
})
