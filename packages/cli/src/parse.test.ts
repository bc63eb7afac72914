import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROGRAM } from '@kron/testkit/cli/demo'
import fc from 'fast-check'
import { parseCommandLine } from './parse.ts'

const parse = (line: string) => parseCommandLine(PROGRAM, line.split(' ').filter(Boolean))
const mistakeOf = (line: string): string => {
  const read = parse(line)
  assert.equal(read.kind, 'mistake', line)
  return read.kind === 'mistake' ? `${read.message}; ${read.hint}` : ''
}

test('options and arguments are read wherever they stand', () => {
  for (const line of [
    'show --file a -f b backup -q --format json',
    '--format json show backup --file=a --file=b --quiet',
    'show -q -fa -f b --format=json -- backup',
  ]) {
    const read = parse(line)
    assert.ok(read.kind === 'run', line)
    assert.equal(read.command.name, 'show')
    assert.deepEqual(read.arguments, ['backup'])
    const { file, quiet, format, count } = read.options
    assert.deepEqual(
      { file, quiet, format, count },
      { file: ['a', 'b'], quiet: true, format: 'json', count: undefined },
    )
  }
})

test('help and version win over everything else that is right', () => {
  assert.deepEqual(parse('--help'), { kind: 'help' })
  assert.deepEqual(parse('help'), { kind: 'help' })
  assert.deepEqual(parse('-V'), { kind: 'version' })
  assert.deepEqual(parse('list --version'), { kind: 'version' })
  for (const line of ['show --help', 'show -h', 'help show', 'show --quiet --help']) {
    const read = parse(line)
    assert.equal(read.kind === 'help' && read.command?.name, 'show', line)
  }
})

test('each mistake is named and the way out is shown', () => {
  assert.equal(mistakeOf(''), 'no command is given; see demo --help')
  assert.equal(mistakeOf('shwo'), 'unknown command "shwo"; did you mean show?')
  assert.equal(mistakeOf('frobnicate'), 'unknown command "frobnicate"; see demo --help')
  assert.equal(mistakeOf('help shw'), 'unknown command "shw"; did you mean show?')
  assert.equal(mistakeOf('-z'), 'demo has no option -z; see demo --help')
  const first = 'the command must stand before --file; write the command first: demo'
  assert.equal(mistakeOf('--file a.kron show'), `${first} show --file a.kron`)
  assert.equal(mistakeOf('--file a.kron'), `${first} COMMAND --file a.kron`)
  assert.equal(mistakeOf('-f a.kron'), `${first.replace('--file', '-f')} COMMAND -f a.kron`)
  assert.equal(mistakeOf('show x --flie y'), 'unknown option --flie; did you mean --file?')
  assert.equal(mistakeOf('show x --time y'), 'unknown option --time; see demo show --help')
  assert.equal(mistakeOf('show x -z'), 'unknown option -z; see demo show --help')
  assert.equal(mistakeOf('show x --count'), '--count needs a value; write --count N')
  assert.equal(mistakeOf('show x --count --quiet'), '--count needs a value; write --count N')
  assert.equal(mistakeOf('show x --count 1 --count 2'), '--count is given twice; see demo show --help')
  assert.equal(mistakeOf('show x --quiet=yes'), '--quiet takes no value; see demo show --help')
  assert.equal(mistakeOf('show x --format xml'), '--format cannot be "xml"; it is one of text, json')
  assert.equal(mistakeOf('show'), 'job is missing; see demo show --help')
  assert.equal(mistakeOf('show x tcsh'), 'shell cannot be "tcsh"; it is one of bash, zsh')
  assert.equal(mistakeOf('list x'), 'unexpected argument "x"; see demo list --help')
})

test('a program without commands takes its options at once', () => {
  const read = parseCommandLine(
    { name: 'one', summary: 's', options: { count: { kind: 'text', value: 'N', summary: 'n' } } },
    ['--count', '3'],
  )
  assert.ok(read.kind === 'run')
  assert.equal(read.options['count'], '3')
})

test('no words make it throw', () => {
  const word = fc.oneof(
    fc.constantFrom('show', '--', '-', '--file', '-f', '-qf', '--=', '--__proto__', '-h'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(word), words => {
      assert.ok(['help', 'version', 'mistake', 'run'].includes(parseCommandLine(PROGRAM, words).kind))
    }),
  )
})
