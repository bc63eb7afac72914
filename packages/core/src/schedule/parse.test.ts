import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, value } from '@kron/testkit/reading'
import fc from 'fast-check'
import { parseSchedule, parseScheduleHead } from './parse.ts'

test('what is wrong with the cron part is told of the line, at its column', () => {
  const wrong: [marked: string, message: RegExp][] = [
    ['0 0 «30» 2 * @tz(UTC)', /^day field/],
    ['  «60» * * * *', /^minute field has "60"/],
    ['* * * *«» @tz(UTC)', /^cron expression has 4 fields/],
    ['«@reboot»', /"@reboot"/],
    ['* * * * * «*»', /^cron expression has 6 fields/],
    ['0 0 * * * «MON» @tz(UTC)', /^cron expression has 6 fields/],
    ['0 0 0 ? * «MON-FRI»', /^cron expression has 6 fields/],
    ['\t0 «22-4» * * *', /^hour field has the range "22-4"/],
    ['«»', /^cron expression/],
    ['«»@tz(UTC)', /^cron expression/],
  ]
  for (const [marked, message] of wrong) {
    const at = marked.indexOf('«')
    const [fault, ...others] = faultsOf(parseSchedule(marked.replace(/[«»]/g, '')))
    assert.match(fault!.message, message)
    assert.deepEqual(
      [fault?.category, fault?.at, fault?.length],
      ['ConfigurationError', at, marked.indexOf('»') - at - 1],
      marked,
    )
    assert.ok(fault?.hint)
    assert.deepEqual(others, [])
  }
})

test('all faults of a text are told, in the order of the text', () => {
  const text = '61 * 0 * * @tz(Nowhere) @win(after,-1h) @dist(uniform,a=1,b=2) @only(hours=25;dow=9) @what(x)'
  assert.deepEqual(
    faultsOf(parseSchedule(text)).map(({ at, length }) => text.slice(at, at + length)),
    ['61', '0', 'Nowhere', '-', 'a', 'b', '25', '9', '@what'],
  )
})

test('a head ends where the rest of a line begins', () => {
  for (const [text, rest] of [
    ['0 2 * * * name=backup', 'name=backup'],
    ['@daily @tz(UTC)  name=a command="x @y(z)"', 'name=a command="x @y(z)"'],
    ['* * * * * /bin/true', '/bin/true'],
    ['0 2 * * *', ''],
  ] as const) {
    const { schedule, faults, end } = parseScheduleHead(text)
    assert.deepEqual(faults, [])
    assert.ok(schedule)
    assert.equal(text.slice(end).trimStart(), rest)
  }
})

test('a line of a million characters is answered at once, with few faults', () => {
  const million = 1_000_000
  const lines = [
    '*'.repeat(million),
    '* '.repeat(million / 2),
    `* * * * * ${'@'.repeat(million)}`,
    `* * * * * ${'@tz(UTC) '.repeat(million / 9)}`,
    `* * * * * @only(${'hours=1;'.repeat(million / 8)}hours=1)`,
    `* * * * * @only(${';'.repeat(million)})`,
    `* * * * * @avoid(hours=${'1,'.repeat(million / 2)}1)`,
    `* * * * * @seed(stable,salt=${'x'.repeat(million)})`,
    `* * * * * @seed(stable,salt="${'\\"'.repeat(million / 2)}")`,
    `* * * * * @dist(normal,${'mu=mid,'.repeat(million / 7)})`,
    `* * * * * @policy(${','.repeat(million)})`,
    `* * * * * @win(after,${'1'.repeat(million)}h)`,
    `* * * * * @win(after,0.${'1'.repeat(million)}h)`,
    `* * * * * @tz(${'x'.repeat(million)})`,
    `* * * * * @${'x'.repeat(million)}(1)`,
    ' '.repeat(million),
  ]
  for (const line of lines) {
    const result = parseSchedule(line)
    if (result.ok) continue
    assert.ok(result.faults.length <= 101, `${result.faults.length} faults for ${line.slice(0, 40)}`)
    for (const { message } of result.faults) assert.ok(message.length < 500, message.slice(0, 600))
  }
})

const piece = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      '* * * * *',
      '0 2 * * *',
      '@daily',
      ' ',
      ' ',
      '\t',
      '(',
      ')',
      ',',
      ';',
      '"',
      '\\',
      '=',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '@tz(',
      '@win(',
      '@dist(',
      '@seed(',
      '@policy(',
      '@only(',
      '@avoid(',
      '@x(',
      '@',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'UTC',
      'after',
      'around,2h',
      'normal',
      'sigma=20m',
      'stable',
      'salt=',
      'deadline=',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'hours=',
      'dow=MON-',
      'between=08:00-',
      'date=',
      '2026-12-24',
      '..',
      '22-4',
      '745h',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
)
const soup = fc.array(piece, { maxLength: 16 }).map(pieces => pieces.join(''))
const sensible = soup.map(text => `0 2 * * * ${text}`)

test('no text makes the parser throw, and every fault lies inside the text and gives advice', () => {
  fc.assert(
    fc.property(fc.oneof(soup, sensible, fc.string({ unit: 'binary' })), text => {
      const { faults, end, schedule } = parseScheduleHead(text)
      assert.ok(end >= 0 && end <= text.length)
      assert.equal(schedule === undefined, faults.length > 0)
      const result = parseSchedule(text)
      for (const { at, length, hint, message } of result.ok ? [] : result.faults) {
        assert.ok(Number.isInteger(at) && at >= 0 && length >= 0 && at + length <= text.length, message)
        assert.ok(hint !== undefined && hint !== '' && message !== '', message)
      }
    }),
    { numRuns: 20_000, seed: 1 },
  )
})

test('the advice on windows is itself accepted', () => {
  value(parseSchedule('* * * * * @win(after,166h) @policy(deadline=39m)'))
  value(parseSchedule('@daily @win(after,744h) @policy(deadline=744h)'))
})

test('faults come in the order of their places, whichever was found first', () => {
  const faults = faultsOf(parseSchedule('0 0 * * * @colour(red) @tz'))
  assert.deepEqual(
    faults.map(({ at, message }) => [at, message]),
    [
      [10, 'unknown modifier "@colour"'],
      [23, '"@tz" has no parentheses'],
    ],
  )
})

test('how many periods would be open is told only of a schedule that can be read', () => {
  const faults = faultsOf(parseSchedule('* * * * * @win(after,744h) @colour(red)'))
  assert.deepEqual(
    faults.map(({ message }) => message),
    ['unknown modifier "@colour"'],
  )
})
