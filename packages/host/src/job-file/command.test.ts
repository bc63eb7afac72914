import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitCommand } from './command.ts'

test('arguments are split at blanks, and joined by quotes', () => {
  for (const [text, argv] of [
    ['/bin/true', ['/bin/true']],
    ['  /bin/echo   a\tb ', ['/bin/echo', 'a', 'b']],
    ['/bin/echo "a  b" ""', ['/bin/echo', 'a  b', '']],
    ['"/opt/my app/run" --x="a b"c', ['/opt/my app/run', '--x=a bc']],
  ] as const) {
    assert.deepEqual(splitCommand(text), { ok: true, argv })
  }
})

test('an unpaired quote and a missing program are told apart', () => {
  assert.deepEqual(splitCommand('a "b" "c'), { ok: false, at: 6, problem: 'unclosed' })
  assert.deepEqual(splitCommand('a" b'), { ok: false, at: 1, problem: 'unclosed' })
  for (const text of ['', '  ', '""', '"" x'])
    assert.deepEqual(splitCommand(text), { ok: false, at: 0, problem: 'empty' })
})

test('any arguments without quotes survive being joined and split', () => {
  const argument = fc.string().map(text => text.replaceAll('"', ''))
  fc.assert(
    fc.property(argument.filter(Boolean), fc.array(argument), (program, rest) => {
      const text = [program, ...rest].map(each => `"${each}"`).join(' ')
      assert.deepEqual(splitCommand(text), { ok: true, argv: [program, ...rest] })
    }),
  )
})
