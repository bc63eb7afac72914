/**
 * The cases of the golden files. Times in zones that change their clocks lie before 2026: their rules are history, so an
 * update of the zone data cannot touch a vector.
 */
export interface DecisionInput {
  readonly identity: string
  readonly nominalTime: string
  readonly timezone: string
  readonly window: string
  readonly mode: 'after' | 'around' | 'before'
  readonly distribution: string
  readonly params: Readonly<Record<string, string | number>>
  readonly seedStrategy: 'stable' | 'daily' | 'weekly'
  readonly salt: string
  readonly only: readonly string[]
  readonly avoid: readonly string[]
}

export interface DecisionCase {
  readonly name: string
  readonly input: DecisionInput
}

const PLAIN: DecisionInput = {
  identity: 'prod/db-backup',
  nominalTime: '2025-03-01T02:00:00Z',
  timezone: 'UTC',
  window: '2h',
  mode: 'after',
  distribution: 'uniform',
  params: {},
  seedStrategy: 'stable',
  salt: '',
  only: [],
  avoid: [],
}

const MODES = ['after', 'around', 'before'] as const

const DISTRIBUTIONS: readonly Pick<DecisionInput, 'distribution' | 'params'>[] = [
  { distribution: 'uniform', params: {} },
  ...['skewEarly', 'skewLate'].flatMap(distribution =>
    [{}, { shape: 0.25 }, { shape: 1 }, { shape: 3 }, { shape: 7.25 }].map(params => ({
      distribution,
      params,
    })),
  ),
  ...[
    {},
    { mu: 'nominal' },
    { mu: 'start' },
    { mu: 'mid', sigma: '1m30s' },
    { mu: 'end', sigma: '20m' },
    { sigma: '7.5s' },
    { sigma: '500h' },
  ].map(params => ({ distribution: 'normal', params })),
  ...[{}, { lambda: 0.01 }, { lambda: 5 }, { lambda: 40 }, { dir: 'late' }, { lambda: 2.5, dir: 'late' }].map(
    params => ({
      distribution: 'exponential',
      params,
    }),
  ),
]

function* shapes(): Generator<DecisionCase> {
  for (const [i, distribution] of DISTRIBUTIONS.entries()) {
    for (const mode of MODES) {
      for (const window of ['1m', '1h1m1s', '2h', '26h0m0.5s', '744h']) {
        const parameters = Object.entries(distribution.params).map(([key, value]) => `,${key}=${value}`)
        const name = `${distribution.distribution}${parameters.join('')} ${mode} ${window}`
        yield { name, input: { ...PLAIN, ...distribution, mode, window, identity: `shape/${i}` } }
      }
    }
  }
}

function* extremes(): Generator<DecisionCase> {
  const wild: Pick<DecisionInput, 'distribution' | 'params'>[] = [
    { distribution: 'skewEarly', params: { shape: 1e-9 } },
    { distribution: 'skewEarly', params: { shape: 1e9 } },
    { distribution: 'skewLate', params: { shape: 1e-9 } },
    { distribution: 'skewLate', params: { shape: 1e9 } },
    { distribution: 'normal', params: { sigma: '1ns' } },
    { distribution: 'normal', params: { mu: 'start', sigma: '1ns' } },
    { distribution: 'normal', params: { mu: 'end', sigma: '2000h' } },
    { distribution: 'exponential', params: { lambda: 1e-18 } },
    { distribution: 'exponential', params: { lambda: 1e-9 } },
    { distribution: 'exponential', params: { lambda: 700 } },
    { distribution: 'exponential', params: { lambda: 1e300, dir: 'late' } },
  ]
  for (const each of wild) {
    const parameters = Object.entries(each.params).map(([key, value]) => `,${key}=${value}`)
    for (const mode of MODES) {
      yield {
        name: `extreme ${each.distribution}${parameters.join('')} ${mode}`,
        input: { ...PLAIN, ...each, mode },
      }
    }
  }
}

function* windows(): Generator<DecisionCase> {
  const lengths = [
    '0s',
    '1ns',
    '2ns',
    '999ms',
    '1s',
    '1s1ns',
    '1.5s',
    '1.999999999s',
    '2s',
    '59.999999999s',
    '0.3h',
    '743h59m59.999999999s',
  ]
  for (const window of lengths) {
    for (const mode of MODES)
      yield {
        name: `odd window ${window} ${mode}`,
        input: { ...PLAIN, window, mode, identity: 'window/odd' },
      }
  }
}

const KEYED_INSTANTS: readonly [timezone: string, ...nominalTimes: string[]][] = [
  [
    'UTC',
    '1970-01-01T00:00:00Z',
    '2024-02-29T23:59:00Z',
    '2024-12-30T00:00:00Z',
    '2038-01-19T03:14:00Z',
    '2200-12-31T23:59:00Z',
  ],
  [
    'America/Los_Angeles',
    '2025-03-01T00:30:00Z',
    '2025-03-09T09:59:00Z',
    '2025-03-09T10:00:00Z',
    '2025-11-02T08:30:00Z',
    '2025-11-02T09:30:00Z',
  ],
  [
    'America/New_York',
    '2025-01-01T04:59:00Z',
    '2025-01-01T05:00:00Z',
    '2025-03-09T07:00:00Z',
    '2025-11-02T05:30:00Z',
    '2025-11-02T06:30:00Z',
  ],
  ['Asia/Tokyo', '2020-12-31T23:30:00Z', '2021-01-03T14:59:00Z', '2021-01-03T15:00:00Z'],
  ['Asia/Kathmandu', '1985-12-31T18:29:00Z', '1985-12-31T18:30:00Z', '2024-12-29T18:15:00Z'],
  [
    'Australia/Lord_Howe',
    '2025-04-05T14:45:00Z',
    '2025-04-05T15:15:00Z',
    '2025-10-04T15:29:00Z',
    '2025-10-04T15:30:00Z',
  ],
  ['Europe/Dublin', '2024-10-27T00:30:00Z', '2024-10-27T01:30:00Z', '2024-03-31T00:59:00Z'],
  [
    'Europe/Paris',
    '2024-03-31T00:30:00Z',
    '2024-03-31T01:00:00Z',
    '2024-10-26T22:00:00Z',
    '2024-10-27T00:30:00Z',
    '2024-10-27T01:30:00Z',
  ],
  [
    'Africa/Cairo',
    '2024-04-25T21:59:00Z',
    '2024-04-25T22:00:00Z',
    '2024-10-31T20:30:00Z',
    '2024-10-31T21:30:00Z',
  ],
  ['America/Santiago', '2024-09-08T03:59:00Z', '2024-09-08T04:00:00Z', '2024-04-07T03:30:00Z'],
  ['Pacific/Apia', '2011-12-30T09:59:00Z', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z'],
  ['Antarctica/Troll', '2024-03-31T00:59:00Z', '2024-03-31T01:00:00Z', '2024-10-27T01:30:00Z'],
  ['Africa/Monrovia', '1971-12-31T23:44:30Z', '1972-01-07T00:44:00Z', '1972-01-07T00:45:00Z'],
  ['America/St_Johns', '2006-10-29T02:30:00Z', '2010-03-14T02:31:00Z'],
]

function* keys(): Generator<DecisionCase> {
  for (const [timezone, ...nominalTimes] of KEYED_INSTANTS) {
    for (const nominalTime of nominalTimes) {
      for (const seedStrategy of ['stable', 'daily', 'weekly'] as const) {
        const input = { ...PLAIN, timezone, nominalTime, seedStrategy, identity: 'seed/key', window: '30m' }
        yield { name: `${seedStrategy} key of ${nominalTime} in ${timezone}`, input }
      }
    }
  }
}

function* texts(): Generator<DecisionCase> {
  const identities = [
    '',
    'a',
    'x'.repeat(34),
    'x'.repeat(35),
    'x'.repeat(1_000),
    'ключ',
    '漢字/漢字',
    '😀😀',
    'line\nbreak',
    'nul\u0000',
    '/etc/krond.d/jobs.kron:nightly',
    '\u{10ffff}\uffff\u0800\u07ff\u0080\u007f',
  ]
  const salts = ['', 'pepper', 'a b', '"quoted"', 'back\\slash', 'ü😀', ')(', 'tab\there', 'x'.repeat(200)]
  for (const [i, identity] of identities.entries())
    yield { name: `identity ${i}`, input: { ...PLAIN, identity } }
  for (const [i, salt] of salts.entries()) {
    yield { name: `salt ${i}`, input: { ...PLAIN, salt } }
    yield { name: `salt ${i} of a week`, input: { ...PLAIN, salt, seedStrategy: 'weekly' } }
  }
}

const CONSTRAINTS: readonly Partial<Pick<DecisionInput, 'only' | 'avoid'>>[] = [
  { only: ['hours=3'] },
  { only: ['hours=1-2,4'] },
  { only: ['dow=SAT'] },
  { only: ['dow=6-7'] },
  { only: ['dow=mon-fri'] },
  { only: ['dom=1-15'] },
  { only: ['months=MAR,OCT-NOV'] },
  { only: ['between=02:15-02:44'] },
  { only: ['between=00:00-00:30', 'between=03:00-03:59'] },
  { only: ['date=2025-03-09'] },
  { only: ['dates=2024-10-27..2025-03-09'] },
  { only: ['hours=2-3', 'between=02:30-03:10', 'dow=0-7'] },
  { avoid: ['hours=2'] },
  { avoid: ['dow=SUN'] },
  { avoid: ['dom=27-31'] },
  { avoid: ['months=10'] },
  { avoid: ['between=01:00-02:59'] },
  { avoid: ['date=2024-10-27', 'date=2025-03-09'] },
  { avoid: ['dates=2025-01-01..2025-12-31'] },
  { only: ['hours=0-5'], avoid: ['between=02:00-02:29', 'between=03:30-03:59'] },
  { only: ['hours=3'], avoid: ['hours=3'] },
]

function* constrained(): Generator<DecisionCase> {
  const nights: Pick<DecisionInput, 'timezone' | 'nominalTime' | 'window' | 'mode'>[] = [
    { timezone: 'UTC', nominalTime: '2025-03-01T02:00:00Z', window: '4h', mode: 'around' },
    { timezone: 'America/New_York', nominalTime: '2025-03-09T06:00:00Z', window: '3h', mode: 'after' },
    { timezone: 'America/New_York', nominalTime: '2025-11-02T08:00:00Z', window: '5h', mode: 'before' },
    { timezone: 'Europe/Paris', nominalTime: '2024-10-27T01:00:00Z', window: '4h', mode: 'around' },
    { timezone: 'Australia/Lord_Howe', nominalTime: '2025-04-05T14:00:00Z', window: '6h', mode: 'after' },
    { timezone: 'Asia/Kathmandu', nominalTime: '2024-12-31T18:15:00Z', window: '48h', mode: 'around' },
  ]
  for (const [i, constraint] of CONSTRAINTS.entries()) {
    for (const night of nights) {
      const distribution = DISTRIBUTIONS[(i * 7) % DISTRIBUTIONS.length]!
      const text = [
        ...(constraint.only ?? []).map(each => `only ${each}`),
        ...(constraint.avoid ?? []).map(each => `avoid ${each}`),
      ]
      const name = `${text.join(' ')} at ${night.nominalTime} in ${night.timezone}`
      yield {
        name,
        input: { ...PLAIN, ...night, ...distribution, ...constraint, identity: `constraint/${i}` },
      }
    }
  }
}

function* hopeless(): Generator<DecisionCase> {
  for (const [i, distribution] of DISTRIBUTIONS.entries()) {
    const input = { ...PLAIN, ...distribution, only: ['hours=17'], identity: `hopeless/${i}` }
    yield { name: `unschedulable ${i}`, input }
  }
  for (const only of [['hours=2'], ['hours=3']]) {
    yield { name: `a single second, only ${only}`, input: { ...PLAIN, window: '0s', only } }
    yield { name: `half a second, only ${only}`, input: { ...PLAIN, window: '500ms', only } }
  }
  const narrow = { ...PLAIN, window: '2h', only: ['between=02:30-02:31'] }
  for (let i = 0; i < 20; i++)
    yield { name: `a hard search ${i}`, input: { ...narrow, identity: `narrow/${i}` } }
}

export const decisionCases = (): DecisionCase[] => [
  ...shapes(),
  ...extremes(),
  ...windows(),
  ...keys(),
  ...texts(),
  ...constrained(),
  ...hopeless(),
]
