import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { splitInput } from '@kron/host'
import fc from 'fast-check'
import { runOf } from './command.ts'

/** The output of a converted command in the shell, with empty standard input, as under krond. */
const outputOf = (command: string): string =>
  spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8', input: '' }).stdout

test('plain commands need no shell, others get one', () => {
  assert.deepEqual(runOf('/usr/bin/backup --all /home', '/bin/sh'), {
    command: '/usr/bin/backup --all /home',
    shell: false,
  })
  assert.deepEqual(runOf('backup', '/bin/sh'), { command: 'backup', shell: true })
  assert.deepEqual(runOf('/usr/bin/a > /tmp/b', '/bin/sh'), { command: '/usr/bin/a > /tmp/b', shell: true })
})

test('a crontab with another SHELL runs its commands in that one', () => {
  const { command, shell } = runOf(`[[ "a b" == a* ]] && echo "it's $0"`, '/bin/bash')
  assert.equal(shell, true)
  assert.equal(outputOf(command), "it's /bin/bash\n")
})

test('what follows a % arrives on standard input, line by line', () => {
  assert.equal(
    outputOf(runOf("cat%Dear boss,%%it's 100\\% done.", '/bin/sh').command),
    "Dear boss,\n\nit's 100% done.\n",
  )
  assert.equal(outputOf(runOf('cat%one%', '/bin/sh').command), 'one\n')
  assert.equal(outputOf(runOf('read line; echo "<$line>" # note%input', '/bin/sh').command), '<input>\n')
})

test('any input survives the way through the shell', () => {
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 30 })
  fc.assert(
    fc.property(text, text => {
      const { input } = splitInput(`cat%${text}`)
      assert.equal(outputOf(runOf(`cat%${text}`, '/bin/sh').command), input)
    }),
    { numRuns: 60, seed: 8 },
  )
})

test('an escaped percent sign is one, before the input and in it', () => {
  assert.deepEqual(splitInput('date +\\%F'), { command: 'date +%F', input: undefined })
  assert.deepEqual(splitInput('a\\b%c\\%d%e'), { command: 'a\\b', input: 'c%d\ne\n' })
  assert.deepEqual(splitInput('cat%'), { command: 'cat', input: '' })
})
