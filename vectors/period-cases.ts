/** A schedule in a zone, and an instant after which its periods are asked for. */
export interface PeriodInput {
  readonly schedule: string
  readonly timezone: string
  readonly after: string
}

export interface PeriodCase {
  readonly name: string
  readonly input: PeriodInput
}

const AROUND_CHANGES: readonly [timezone: string, after: string][] = [
  ['UTC', '2024-02-27T12:00:00Z'],
  ['America/New_York', '2025-03-08T12:00:00Z'],
  ['America/New_York', '2025-11-01T12:00:00Z'],
  ['Europe/Paris', '2024-03-30T12:00:00Z'],
  ['Europe/Paris', '2024-10-26T12:00:00Z'],
  ['Europe/Dublin', '2024-10-26T12:00:00Z'],
  ['Australia/Lord_Howe', '2025-04-05T10:00:00Z'],
  ['Australia/Lord_Howe', '2025-10-04T10:00:00Z'],
  ['Africa/Cairo', '2024-04-25T12:00:00Z'],
  ['Africa/Cairo', '2024-10-31T12:00:00Z'],
  ['America/Santiago', '2024-09-07T12:00:00Z'],
  ['Pacific/Apia', '2011-12-29T12:00:00Z'],
  ['Antarctica/Troll', '2024-03-30T12:00:00Z'],
  ['Asia/Kathmandu', '1985-12-31T12:00:00Z'],
  ['Africa/Monrovia', '1972-01-06T12:00:00Z'],
]

const SCHEDULES = ['30 2 * * *', '*/20 0-3 * * *', '0 0 * * 0', '15 1,2 31 * 1-5', '@daily']

export const periodCases = (): PeriodCase[] => [
  ...AROUND_CHANGES.flatMap(([timezone, after]) =>
    SCHEDULES.map(schedule => ({
      name: `${schedule} in ${timezone} after ${after}`,
      input: { schedule, timezone, after },
    })),
  ),
  ...[
    '0 0 29 2 *',
    '59 23 31 12 *',
    '0 12 */2 * 1',
    '0 0 13 * FRI',
    '@yearly',
    '@weekly',
    '5-59/13 7 * JAN-MAR *',
  ].map(schedule => ({
    name: `${schedule} over the years`,
    input: { schedule, timezone: 'UTC', after: '2095-12-31T23:59:59Z' },
  })),
]
