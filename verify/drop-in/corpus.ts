/** Schedules of every construct of a crontab: times of day beside days, macros, names, steps and lists. */
const TIMES = [
  '0 2',
  '30 2',
  '59 1',
  '0 3',
  '1 3',
  '15 0',
  '59 23',
  '0,30 1-3',
  '5 */6',
  '10 0-23/8',
  '*/30 2',
  '20-40/20 2,3',
  '0 0',
  '45 1,2',
]

const DAYS = [
  '* * *',
  '*/2 * 1',
  '1-31/2 * 1',
  '*,5 * 1',
  '13 * 5',
  '13 * */2',
  '1-7 * MON',
  '* * 7',
  '* * 0-7/3',
  '* * sat,SUN',
  '* MAR,apr,OCT,11 *',
  '*/3 */2 *',
  '29 2 *',
  '25-31 * sun',
  '8 3 sun',
]

const FREQUENT = ['5 * * * *', '*/20 * * * *', '@hourly', '40 */2 * * *', '10 *,2 * * *', '7-59/26 1-4 * * *']
const MACROS = ['@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually']

export const SCHEDULES: readonly string[] = [
  ...TIMES.flatMap(time => DAYS.map(days => `${time} ${days}`)),
  ...FREQUENT,
  ...MACROS,
]

/** A change of the clock, the zone it is made in, and the days around it that are compared. */
export const NIGHTS: readonly (readonly [zone: string, change: string, days: number])[] = [
  ['Europe/Berlin', '2026-10-25T01:00:00Z', 2],
  ['America/New_York', '2026-03-08T07:00:00Z', 2],
  ['America/New_York', '2026-11-01T06:00:00Z', 2],
  ['America/Havana', '2026-03-08T05:00:00Z', 2],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 2],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', 2],
  ['Antarctica/Troll', '2026-03-29T01:00:00Z', 2],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 7],
]
