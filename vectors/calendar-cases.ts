/** Questions of `calendars.json`: days, local times and instants as constraints, near changes of the clock too. */
import type { DecisionInput } from './cases.ts'

type Pairs = readonly (readonly [string, string])[]

export interface CalendarInput extends DecisionInput {
  readonly calendars: Readonly<
    Record<string, { readonly days?: Pairs; readonly local?: Pairs; readonly instants?: Pairs }>
  >
}

/** The last Sunday of March and of October 2025, when clocks change in Europe, and days around them. */
const CALENDARS: CalendarInput['calendars'] = {
  holidays: {
    days: [
      ['2025-03-29', '2025-03-30'],
      ['2025-10-26', '2025-10-26'],
      ['2025-12-24', '2025-12-26'],
    ],
  },
  freeze: {
    instants: [
      ['2025-03-29T22:00:00Z', '2025-03-30T00:59:59Z'],
      ['2025-10-25T23:30:00Z', '2025-10-26T01:29:59Z'],
    ],
  },
  nights: {
    local: [
      ['2025-03-29T23:00:00', '2025-03-30T04:59:59'],
      ['2025-10-26T00:00:00', '2025-10-26T02:29:59'],
    ],
  },
  empty: {},
}
const NOMINALS = [
  '2025-03-29T20:00:00Z',
  '2025-03-30T00:30:00Z',
  '2025-10-25T21:00:00Z',
  '2025-12-24T12:00:00Z',
]
const SIDES: readonly (readonly [only: readonly string[], avoid: readonly string[]])[] = [
  [[], ['cal=holidays']],
  [['cal=holidays'], []],
  [[], ['cal=freeze']],
  [['cal=freeze'], []],
  [[], ['cal=nights']],
  [['cal=nights'], []],
  [['cal=holidays', 'cal=freeze'], ['cal=nights']],
  [['cal=nights', 'hours=0-3'], ['dow=SAT']],
  [[], ['cal=empty']],
  [['cal=empty'], []],
]
const ZONES = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kathmandu']

export function calendarCases(): { name: string; input: CalendarInput }[] {
  return SIDES.flatMap(([only, avoid], s) =>
    NOMINALS.flatMap((nominalTime, n) =>
      ZONES.map((timezone, z) => ({
        name: `only ${only.join(' ') || '-'} avoid ${avoid.join(' ') || '-'} at ${nominalTime} in ${timezone}`,
        input: {
          identity: `/etc/krond.d/jobs.kron:job-${s}`,
          nominalTime,
          timezone,
          window: ['6h', '12h', '30h'][(s + z) % 3]!,
          mode: (['after', 'around', 'before'] as const)[n % 3]!,
          distribution: (['uniform', 'skewLate'] as const)[z % 2]!,
          params: {},
          seedStrategy: 'stable',
          salt: '',
          only,
          avoid,
          calendars: Object.fromEntries(
            [...only, ...avoid].flatMap(each =>
              each.startsWith('cal=') ? [[each.slice(4), CALENDARS[each.slice(4)]!]] : [],
            ),
          ),
        },
      })),
    ),
  )
}
