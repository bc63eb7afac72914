import fc from 'fast-check'

const pick = <T>(...values: T[]) => fc.constantFrom(...values)
const or = (none: string, some: fc.Arbitrary<string>) => fc.oneof(fc.constant(none), some)
const join = (...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map(texts => texts.filter(Boolean).join(' '))

const cron = fc.oneof(
  pick('@hourly', '@daily', '@weekly', '@monthly', '@yearly'),
  join(
    pick('*', '0', '05', '*/7', '1,2,59', '10-20/3'),
    pick('*', '0', '3-5', '23,0', '*/6'),
    pick('*', '1', '1-15', '*/2'),
    pick('*', '2-4', 'JAN', 'jun,JUL'),
    pick('*', '0', '7', 'mon-FRI', '1-5/2'),
  ),
)
const duration = pick('0', '0s', '90s', '1h30m', '1.5h', '300ms', '2h0.5s')
const text = fc.string({ unit: fc.constantFrom(...'abc XYZ09-_/.:,=@#%\'()|"\\\t é→😀') })
const inQuotes = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`
const salt = fc.oneof(
  fc.stringMatching(/^[a-z0-9.-]{1,8}$/),
  fc.string({ unit: pick('a', ' ', ')', ',', '"', '\\') }).map(inQuotes),
)
const modifiers = fc
  .tuple(
    or(
      '',
      pick('UTC', 'Europe/Paris', 'America/St_Johns', 'Australia/Lord_Howe').map(zone => `@tz(${zone})`),
    ),
    or(
      '',
      fc
        .tuple(pick('after', 'around', 'before', 'center'), duration)
        .map(([mode, length]) => `@win(${mode},${length})`),
    ),
    or(
      '',
      pick(
        'uniform',
        'skewEarly',
        'skewLate,shape=3',
        'normal,sigma=20m',
        'normal,mu=end',
        'exponential,dir=late,lambda=0.5',
      ).map(dist => `@dist(${dist})`),
    ),
    or(
      '',
      fc
        .tuple(
          pick('stable', 'daily', 'weekly'),
          or(
            '',
            salt.map(each => `,salt=${each}`),
          ),
        )
        .map(([name, rest]) => `@seed(${name}${rest})`),
    ),
    or(
      '',
      pick('deadline=10m', 'concurrency=allow,suspend=true', 'suspend=false').map(
        rules => `@policy(${rules})`,
      ),
    ),
    or(
      '',
      pick('hours=9-17', 'dow=MON-FRI;dom=1,15', 'between=08:00-09:30', 'date=2026-12-24').map(
        each => `@only(${each})`,
      ),
    ),
    or(
      '',
      pick('months=AUG', 'dates=2026-01-01..2026-01-06;hours=3').map(each => `@avoid(${each})`),
    ),
  )
  .chain(parts => fc.shuffledSubarray(parts, { minLength: parts.length }))
  .map(parts => parts.filter(Boolean).join(' '))

const program = pick('/bin/true', '/usr/bin/backup', 'relative', './x')
const command = fc.oneof(
  program,
  fc.tuple(program, text).map(([name, rest]) => inQuotes(`${name} ${rest.replaceAll('"', '')}`)),
  fc
    .tuple(program, fc.string({ unit: pick('a', ' ') }))
    .map(([name, word]) => inQuotes(`${name} "${word}" x"y z"`)),
)
const fields = fc
  .tuple(
    or(
      '',
      pick('true', 'false').map(each => `shell=${each}`),
    ),
    or('', pick('user=backup', 'user=1000 group=staff', 'group=0')),
    or(
      '',
      pick('/tmp', '"/srv/my app"').map(each => `cwd=${each}`),
    ),
    or(
      '',
      fc.tuple(text, text).map(([a, b]) => `env=A=${inQuotes(a)} env=${inQuotes(`B=${b}`)} env=C= env=D=x=y`),
    ),
    or('', pick('inherit_env=false', 'inherit_env=true')),
    or('', pick('umask=0027', 'umask=7', 'umask=000')),
    or('', pick('timeout=5m', 'timeout=1.5h grace=0s', 'grace=10s', 'grace="30s"')),
    or('', pick('stdout=discard', 'stdout=syslog stderr=inherit', 'stderr=file:/var/log/%N-%Y%m%d.log')),
    or('', pick('stdout="file:/tmp/with blank/%%"')),
    or('', pick('nofile=1024', 'nproc=1 nofile=2')),
    or(
      '',
      text.map(each => `description=${inQuotes(each)}`),
    ),
  )
  .filter(parts => parts.join(' ').split('stdout=').length <= 2)

const entry = fc.tuple(cron, modifiers, command, fields, pick(' ', '  ', '\t')).map(
  ([when, how, what, rest, blank]) =>
    (name: string) =>
      [when, how, `name=${name}`, `command=${what}`, ...rest].filter(Boolean).join(blank),
)
const other = fc.oneof(
  pick('', '   ', '# a comment', '\t# 0 2 * * * name=x'),
  text.map(each => `#${each}`),
)

/** The text of a random valid job file, comments and blank lines included. */
export const jobFileText = fc
  .tuple(fc.array(fc.oneof(entry, other), { maxLength: 8 }), fc.boolean())
  .map(([lines, lastNewline]) => {
    const texts = lines.map((line, i) => (typeof line === 'string' ? line : line(`job/${i}`)))
    return texts.join('\n') + (lastNewline && texts.length > 0 ? '\n' : '')
  })
