import fc from 'fast-check'

const number = (min: number, max: number) => fc.integer({ min, max })
const range = (min: number, max: number) =>
  fc.tuple(number(min, max), number(min, max)).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)

function field(min: number, max: number, names: readonly string[] = []): fc.Arbitrary<string> {
  const step = number(1, max)
  const element = fc.oneof(
    number(min, max).map(String),
    range(min, max),
    fc.tuple(range(min, max), step).map(([r, s]) => `${r}/${s}`),
    step.map(s => `*/${s}`),
    ...(names.length === 0 ? [] : [fc.constantFrom(...names)]),
  )
  const list = fc.array(fc.oneof(element, fc.constant('*')), { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    { weight: 5, arbitrary: list.map(all => all.join(',')) },
  )
}

/** Any schedule that Debian's cron accepts. */
export const schedule = fc
  .tuple(
    field(0, 59),
    field(0, 23),
    field(1, 31),
    field(1, 12, ['jan', 'FEB', 'Dec']),
    field(0, 7, ['sun', 'Mon', 'SAT']),
  )
  .map(fields => fields.join(' '))

const component = (min: number, max: number) =>
  fc.oneof(
    fc.constant('*'),
    fc
      .array(
        fc.oneof(
          number(min, max).map(String),
          fc.tuple(number(min, max), number(1, max)).map(([from, step]) => `${from}/${step}`),
          fc
            .tuple(number(min, max), number(min, max))
            .map(([a, b]) => `${Math.min(a, b)}..${Math.max(a, b)}`),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map(all => all.join(',')),
  )

const weekdays = fc.constantFrom('', '', 'Mon ', 'Mon..Fri ', 'Sat,Sun ', 'Fri..Mon ', 'wednesday ')

/** Calendar expressions of systemd, to the minute. */
export const calendar = fc
  .tuple(weekdays, component(1, 12), component(1, 28), component(0, 23), component(0, 59))
  .map(([week, month, day, hour, minute]) => `${week}*-${month}-${day} ${hour}:${minute}`)
