import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MISTAKEN_FILE, MISTAKES, withoutMarks } from '@kron/testkit/faulty-lines'
import { jobFileText } from '@kron/testkit/host/job-file/job-file'
import fc from 'fast-check'
import { argvOf } from './command.ts'
import { DEFAULT_SETTINGS } from './entry.ts'
import { jobFileError } from './fault.ts'
import { LONGEST_LINE, MOST_FAULTS, parseJobFile } from './parse.ts'

const PATH = '/etc/krond.d/test.kron'
const parse = (text: string) => parseJobFile(text, PATH)
const one = (fields: string) => {
  const { entries, faults } = parse(`0 2 * * * ${fields}`)
  assert.deepEqual(faults, [])
  return entries[0]!
}
const messages = (text: string) =>
  parse(text).faults.map(({ line, at, message }) => `${line}:${at + 1} ${message}`)

test('an entry holds its schedule, identity, command and settings', () => {
  const entry = one(
    'name=db/backup command="/usr/bin/backup --to \\"/mnt/my disk\\" -v" user=backup group=1000 cwd=/srv env=A=1 env=B="x y" ' +
      'inherit_env=false umask=0027 timeout=1h grace=5s stdout=syslog stderr=file:/var/log/%N.log nofile=64 nproc=8 groups=adm,7 fsize=2M core=0 nice=-3 output_keep=8K notify=mail:ops@example.org,webhook:https://hooks.example/x notify_on=failed,output ping=https://hc.example/1 description="Nightly dump"',
  )
  assert.equal(entry.identity, `${PATH}:db/backup`)
  assert.equal(entry.name, 'db/backup')
  assert.equal(entry.path, PATH)
  assert.equal(entry.line, 1)
  assert.equal(entry.description, 'Nightly dump')
  assert.deepEqual(argvOf(entry), ['/usr/bin/backup', '--to', '/mnt/my disk', '-v'])
  assert.deepEqual(
    { ...entry.settings, env: { ...entry.settings.env } },
    {
      user: 'backup',
      group: '1000',
      cwd: '/srv',
      env: { A: '1', B: 'x y' },
      inheritEnv: false,
      umask: 0o27,
      timeout: 3_600_000_000_000,
      grace: 5_000_000_000,
      stdout: { kind: 'syslog' },
      stderr: { kind: 'file', path: '/var/log/%N.log' },
      nofile: 64,
      nproc: 8,
      groups: ['adm', '7'],
      fsize: 2_097_152,
      core: 0,
      nice: -3,
      outputKeep: 8_192,
      notify: [
        { kind: 'mail', address: 'ops@example.org' },
        { kind: 'webhook', url: 'https://hooks.example/x' },
      ],
      notifyOn: ['failed', 'output'],
      ping: 'https://hc.example/1',
    },
  )
})

test('jobs that say nothing else share their settings, and equal schedules are one object', () => {
  const { entries } = parse(
    '0 2 * * * @win(after,1h) name=a command=/x\n0 2 * * *  @win(after,60m) name=b command=/y\n0 2 * * * @win(after,1h) name=c command=/z\n',
  )
  assert.equal(entries[0]!.settings, DEFAULT_SETTINGS)
  assert.equal(entries[0]!.schedule, entries[2]!.schedule)
  assert.equal(entries[0]!.schedule.window, entries[1]!.schedule.window)
  assert.equal(entries[0]!.schedule.cron, entries[1]!.schedule.cron)
})

test('thirty mistakes are thirty faults, each at its column', () => {
  const expected = MISTAKES.map((line, i) => {
    const at = line.indexOf('«')
    return { line: i * 4 + 2, at, length: line.indexOf('»') - at - 1, source: withoutMarks(line) }
  })
  const { faults, entries } = parse(MISTAKEN_FILE)
  assert.deepEqual(
    faults.map(({ line, at, length, source }) => ({ line, at, length, source })),
    expected,
  )
  assert.equal(new Set(faults.map(fault => fault.message)).size, 30, 'all messages differ')
  assert.ok(faults.every(fault => fault.hint !== undefined && fault.hint !== ''))
  assert.equal(entries.length, 30, 'the sound lines are read all the same')
})

test('all mistakes of one line are reported, from left to right', () => {
  assert.deepEqual(messages('0 99 * * * @tz(Nowhere) name=A command=x=" user='), [
    '1:3 hour field has "99", outside 0-23',
    '1:16 unknown time zone "Nowhere"',
    '1:30 "A" is not a job name',
    '1:42 a quote inside an unquoted value',
    '1:44 user has no value',
  ])
})

test('a name may be used once in a file', () => {
  assert.deepEqual(
    messages('@daily name=a command=/x\n@daily name=b command=/x\n@weekly name=a command=/y'),
    ['3:14 the name a is already used in line 1'],
  )
})

test('a line that is no entry at all is one mistake', () => {
  assert.equal(parse('hello world').faults.length, 1)
  assert.equal(parse('@win(after,2h name=x command=y').faults.length >= 1, true)
  assert.equal(parse('0 2 * * *').faults.length, 2, 'a schedule alone lacks name and command')
})

test('a command of any length and alphabet is read as it is written', () => {
  for (const letter of ['x', 'é', '漢', '🕐'])
    for (const length of [1, 20, 10_000]) {
      const command = `/bin/${letter.repeat(length)}`
      assert.equal(one(`name=a command=${command}`).command, command)
    }
})

test('quotes, escapes and trailing text', () => {
  assert.deepEqual(argvOf(one('name=a command="/bin/sh -c \\"echo \\\\\\\\ hi\\" \\"\\" --x=\\"a b\\""')), [
    '/bin/sh',
    '-c',
    'echo \\\\ hi',
    '',
    '--x=a b',
  ])
  assert.deepEqual(argvOf(one('name=a shell=true command="echo \\"$HOME\\" | wc -c"')), [
    '/bin/sh',
    '-c',
    'echo "$HOME" | wc -c',
  ])
  for (const [fields, message] of [
    ['name=a command="/x"y', '1:30 unexpected "y" after the closing quote'],
    ['name=a command="/x \\"y"', '1:30 the inner quote is never closed'],
    ['name=a command=""', '1:26 the command names no program'],
    ['name=a command="  "', '1:26 the command names no program'],
    ['name=a command="  " shell=true', '1:26 the command is empty'],
    ['name=a command=/x # why', '1:29 unexpected "# why"'],
    ['name=a command=/x @win(after,1h)', '1:29 unexpected "@win(after,1h)"'],
    ['name=a command=/x =y', '1:29 a value without a key'],
    ['name=a command=/x env=1A=b', '1:33 "1A=b" is not KEY=value'],
    ['name=a command=/x env=A=b env=A=c', '1:41 the variable A is given twice'],
    ['name=a command=/x cwd=tmp', '1:33 "tmp" is not an absolute path'],
    ['name=a command=/x stdout=file:out', '1:36 "out" is not an absolute path'],
    ['name=a command=/x timeout=0s', '1:37 the timeout must be above 0'],
    ['name=a command=/x timeout="5 m"', '1:38 "5 m" is not a duration: a number without a unit'],
    ['name=a command=/x nofile=0', '1:36 nofile cannot be "0"'],
    ['name=a command=/x user=a:b', '1:34 "a:b" is not a user'],
    ['name=a command=/x shell=yes', '1:35 shell cannot be "yes"'],
  ] as const) {
    assert.deepEqual(messages(`0 2 * * * ${fields}`), [message], fields)
  }
})

test('an environment variable may be called anything a variable may', () => {
  const { env } = one('name=a command=/x env=__proto__=1 env=constructor=2').settings
  assert.deepEqual(Object.entries(env), [
    ['__proto__', '1'],
    ['constructor', '2'],
  ])
})

test('CRLF and a byte order mark are one mistake each, and the rest is still read', () => {
  assert.deepEqual(messages('\uFEFF@daily name=a command=/x\r\n\r\n@daily name=B command=/x\r\n'), [
    '1:1 the file starts with a byte order mark (BOM)',
    '1:25 3 lines end with a carriage return (CRLF)',
    '3:13 "B" is not a job name',
  ])
})

test('a line may have 64 KiB and no more', () => {
  const line = (length: number) =>
    `@daily name=a command=/x description=${'é'.repeat(9)}${'x'.repeat(length - 55)}`
  assert.equal(Buffer.byteLength(line(LONGEST_LINE)), LONGEST_LINE)
  assert.deepEqual(messages(line(LONGEST_LINE)), [])
  assert.deepEqual(messages(line(LONGEST_LINE + 1)), ['1:1 the line has 65537 bytes, more than 65536'])
})

test('a text that is no job file stops being read after ten thousand faults', () => {
  const { faults } = parse('x\n'.repeat(50_000))
  assert.equal(faults.length, MOST_FAULTS + 1)
  assert.match(faults.at(-1)!.message, /the rest of the file was not checked/)
})

test('progress is told while a long file is read', () => {
  const seen: number[] = []
  const text = '@daily name=a command=/x\n'.repeat(9_000)
  parseJobFile(text, PATH, { progress: done => seen.push(done) })
  assert.deepEqual(seen, [4_096 * 25, 8_192 * 25])
})

test('a fault becomes an error that knows its file, line and column', () => {
  const error = jobFileError(parse('\n@daily name=a command=/x umask=9').faults[0]!, PATH)
  assert.equal(error.category, 'ConfigurationError')
  assert.deepEqual([error.place?.file, error.place?.line, error.place?.column], [PATH, 2, 32])
})

test('no text makes the parser throw, and every fault lies within its line', () => {
  const piece = fc.constantFrom(
    '"',
    '\\',
    '=',
    '@',
    '(',
    ')',
    ' ',
    '\t',
    '#',
    '*',
    '\r',
    '\n',
    'name=',
    'command=',
    '@win(',
    'env=A="',
    '0 2 * * * ',
    'é😀',
  )
  const anything = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 30 }).map(parts => parts.join('')),
  )
  const spoilt = fc.tuple(jobFileText, fc.nat(), fc.nat(20), anything).map(([text, at, length, insert]) => {
    const place = text.length === 0 ? 0 : at % text.length
    return text.slice(0, place) + insert + text.slice(place + length)
  })
  fc.assert(
    fc.property(fc.oneof(anything, spoilt), text => {
      const { faults } = parse(text)
      const lines = text.replace(/^\uFEFF/, '').split('\n')
      for (const { line, at, length, source } of faults) {
        assert.ok(line >= 1 && line <= lines.length)
        assert.ok(at >= 0 && length >= 0 && at <= source.length + 1, `${at} in ${JSON.stringify(source)}`)
      }
    }),
    { numRuns: 2_000 },
  )
})
