import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf } from '@kron/testkit/reading'
import type { Fault } from '../error/fault.ts'
import { parseSchedule } from './parse.ts'

type Category = Fault['category']
const SYNTAX: Category = 'ConfigurationError'
const MEANING: Category = 'ValidationError'
const KNOWN = 'modifiers are @tz @win @dist @seed @policy @only @avoid'
const ONCE = 'keep one of them'
const POLICIES = 'keys are concurrency, deadline, suspend'

/** The offending text stands between « and ». */
type Wrong = readonly [marked: string, category: Category, message: string, hint: string]

const MODIFIERS: readonly Wrong[] = [
  ['@daily «@zone»(UTC)', SYNTAX, 'unknown modifier "@zone"', 'did you mean @tz, as in @tz(Europe/Paris)?'],
  ['@daily «@toString»()', SYNTAX, 'unknown modifier "@toString"', KNOWN],
  ['@daily «@TZ»(UTC)', SYNTAX, 'unknown modifier "@TZ"', 'did you mean @tz, as in @tz(Europe/Paris)?'],
  ['@daily «@»(UTC)', SYNTAX, 'unknown modifier "@"', KNOWN],
  ['@daily «@tz»', SYNTAX, '"@tz" has no parentheses', 'write for example @tz(Europe/Paris)'],
  ['@daily «@tz»()', SYNTAX, '@tz() is empty', 'leave it out or write for example @tz(Europe/Paris)'],
  ['@daily «@only»()', SYNTAX, '@only() is empty', 'leave it out or write for example @only(hours=9-17)'],
  ['@daily @tz«(UTC»', SYNTAX, 'the parenthesis of "@tz" is never closed', 'add )'],
  ['@daily @seed«(stable,salt="a)»', SYNTAX, 'the parenthesis of "@seed" is never closed', 'add )'],
  ['@daily @tz(UTC) «@tz»(UTC)', SYNTAX, '@tz is given twice', ONCE],
  ['@daily @win(after,1h) «@win»(after,2h)', SYNTAX, '@win is given twice', ONCE],
  ['@daily @tz(UTC)«@»win(after,1h)', SYNTAX, 'no blank after "@tz(…)"', 'separate modifiers by a blank'],
  [
    '@daily @win(after,« »2h)',
    SYNTAX,
    'a blank inside "@win(…)"',
    'write it without blanks; only a quoted salt may hold them',
  ],
]

const ZONES: readonly Wrong[] = [
  [
    '@daily @tz(«Mars/Olympus»)',
    SYNTAX,
    'unknown time zone "Mars/Olympus"',
    'write an IANA name such as Europe/Paris',
  ],
  ['@daily @tz(«europe/paris»)', SYNTAX, 'unknown time zone "europe/paris"', 'did you mean Europe/Paris?'],
  ['@daily @tz(«+01:00»)', SYNTAX, 'unknown time zone "+01:00"', 'write an IANA name such as Europe/Paris'],
]

const WINDOWS: readonly Wrong[] = [
  [
    '@daily @win(«2h»)',
    SYNTAX,
    'expected a mode and a duration, found only "2h"',
    'write for example after,2h',
  ],
  ['@daily @win(«within»,2h)', SYNTAX, 'unknown window mode "within"', 'modes are after, around and before'],
  ['@daily @win(after,2h,«x»)', SYNTAX, 'unexpected "x"', 'write for example @win(after,2h)'],
  [
    '@daily @win(after,«»)',
    SYNTAX,
    '"" is not a duration: nothing is written',
    'write for example 90s, 1h30m or 24h',
  ],
  [
    '@daily @win(after,«-»5m)',
    SYNTAX,
    '"-5m" is not a duration: a sign is not allowed',
    'durations are never negative',
  ],
  [
    '@daily @win(after,1«d»)',
    SYNTAX,
    '"1d" is not a duration: unknown unit "d"',
    'days and weeks have no fixed length: write 24h or 168h',
  ],
  [
    '@daily @win(after,«744h1s»)',
    MEANING,
    'the window "744h1s" is longer than 31 days',
    'write at most 744h',
  ],
  [
    '@daily @win(after,«9999999h»)',
    MEANING,
    '"9999999h" is too long a duration: the most that can be held is about 104 days',
    'write at most 744h',
  ],
]

const DISTRIBUTIONS: readonly Wrong[] = [
  [
    '@daily @dist(«gamma»)',
    SYNTAX,
    'unknown distribution "gamma"',
    'distributions are uniform, skewEarly, skewLate, normal, exponential, weights',
  ],
  ['@daily @dist(«skewearly»)', SYNTAX, 'unknown distribution "skewearly"', 'write skewEarly'],
  [
    '@daily @dist(uniform,«shape»=2)',
    SYNTAX,
    'unknown parameter "shape" of uniform',
    'uniform takes no parameters',
  ],
  [
    '@daily @dist(normal,«shape»=2)',
    SYNTAX,
    'unknown parameter "shape" of normal',
    'normal takes mu and sigma',
  ],
  ['@daily @dist(skewEarly,«shape»)', SYNTAX, 'expected key=value, found "shape"', 'skewEarly takes shape'],
  ['@daily @dist(skewEarly,«shape=»)', SYNTAX, 'expected key=value, found "shape="', 'skewEarly takes shape'],
  ['@daily @dist(skewEarly,shape=2,«shape»=3)', SYNTAX, 'parameter shape is given twice', ONCE],
  [
    '@daily @dist(skewEarly,shape=«two»)',
    SYNTAX,
    'shape must be a number, found "two"',
    'write for example shape=2',
  ],
  ['@daily @dist(skewEarly,shape=«0»)', MEANING, 'shape must be above 0: "0"', 'write for example shape=2'],
  [
    '@daily @dist(skewLate,shape=«-1.5»)',
    MEANING,
    'shape must be above 0: "-1.5"',
    'write for example shape=2',
  ],
  [
    '@daily @dist(exponential,lambda=«1e999»)',
    MEANING,
    'lambda is too large a number: "1e999"',
    'write for example lambda=2',
  ],
  [
    '@daily @dist(«weights»)',
    SYNTAX,
    'weights need a file',
    'write for example file=tariff for weights/tariff.csv',
  ],
  [
    '@daily @dist(weights,file=«../x»)',
    SYNTAX,
    '"../x" is not the name of a weights file',
    'write for example file=tariff for weights/tariff.csv',
  ],
  ['@daily @dist(exponential,dir=«up»)', SYNTAX, 'dir cannot be "up"', 'dir is one of early, late'],
  [
    '@daily @dist(normal,mu=«centre»)',
    SYNTAX,
    'mu cannot be "centre"',
    'mu is one of nominal, start, mid, end',
  ],
  ['@daily @dist(normal,sigma=«0s»)', MEANING, 'sigma must be above 0', 'write for example sigma=20m'],
  [
    '@daily @dist(normal,sigma=«20»)',
    SYNTAX,
    '"20" is not a duration: a number without a unit',
    'write for example 90s, 1h30m or 24h; units are ns us ms s m h',
  ],
]

const SEEDS: readonly Wrong[] = [
  [
    '@daily @seed(«monthly»)',
    SYNTAX,
    'unknown seed strategy "monthly"',
    'strategies are stable, daily, weekly',
  ],
  [
    '@daily @seed(stable,«pepper»=x)',
    SYNTAX,
    'unknown seed parameter "pepper"',
    'the one parameter is salt=text',
  ],
  ['@daily @seed(stable,«salt»)', SYNTAX, 'salt has no value', 'write salt=text or salt="some text"'],
  ['@daily @seed(stable,salt=a,«salt»=b)', SYNTAX, 'salt is given twice', ONCE],
  [
    '@daily @seed(stable,salt=«a"b"»)',
    SYNTAX,
    'the salt "a\\"b\\"" needs quotes',
    'write salt="…" with \\" and \\\\ inside',
  ],
  [
    '@daily @seed(stable,salt=«"a\\n"»)',
    SYNTAX,
    'bad quoting in the salt "\\"a\\\\n\\""',
    'the only escapes are \\" and \\\\',
  ],
]

const POLICY: readonly Wrong[] = [
  ['@daily @policy(«retries»=3)', SYNTAX, 'unknown policy "retries"', POLICIES],
  ['@daily @policy(«suspend»)', SYNTAX, 'expected key=value, found "suspend"', POLICIES],
  [
    '@daily @policy(concurrency=«queue»)',
    SYNTAX,
    'concurrency cannot be "queue"',
    'it is allow, forbid or replace',
  ],
  ['@daily @policy(suspend=«yes»)', SYNTAX, 'suspend cannot be "yes"', 'it is true or false'],
  ['@daily @policy(deadline=1m,«deadline»=2m)', SYNTAX, 'deadline is given twice', ONCE],
  [
    '@daily @policy(deadline=«745h»)',
    MEANING,
    'the deadline "745h" is longer than 31 days',
    'write at most 744h',
  ],
]

const CONSTRAINTS: readonly Wrong[] = [
  ['@daily @only(hours=«22-4»)', MEANING, 'the range "22-4" runs backwards', 'write hours=22-23,0-4'],
  [
    '@daily @avoid(hours=1;«»)',
    MEANING,
    'expected a clause such as hours=9-17, found ""',
    'kinds are hours, dow, dom, months, between, date, dates, cal',
  ],
  [
    `@daily @only(hours=1) @avoid(«${Array(64).fill('dom=1').join(';')}»)`,
    MEANING,
    '65 constraint clauses are more than 64',
    'join values of one kind: hours=1,3 instead of two clauses',
  ],
]

const REST: readonly Wrong[] = [
  [
    '* * * * * @tz(UTC) «/bin/true now»',
    SYNTAX,
    'unexpected "/bin/true now" after the schedule',
    'a schedule is five cron fields or a macro, then modifiers such as @tz(Europe/Paris)',
  ],
  [
    '«* * * * * @win(after,166h) @policy(deadline=1h)»',
    MEANING,
    'up to 10021 periods would be open at once, more than 10000',
    'shorten the window or the deadline, or run less often',
  ],
]

const ALL = [
  ...MODIFIERS,
  ...ZONES,
  ...WINDOWS,
  ...DISTRIBUTIONS,
  ...SEEDS,
  ...POLICY,
  ...CONSTRAINTS,
  ...REST,
]

for (const [marked, category, message, hint] of ALL) {
  test(`${marked.length > 80 ? `${marked.slice(0, 80)}…` : marked} is refused: ${message}`, () => {
    const at = marked.indexOf('«')
    const length = marked.indexOf('»') - at - 1
    const [fault, ...others] = faultsOf(parseSchedule(marked.replace(/[«»]/g, '')))
    assert.deepEqual(
      { category: fault?.category, message: fault?.message, at: fault?.at, length: fault?.length },
      { category, message, at, length },
    )
    assert.equal(fault?.hint, hint)
    assert.deepEqual(others, [])
  })
}
