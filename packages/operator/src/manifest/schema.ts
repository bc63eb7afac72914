import { DISTRIBUTION_PARAMETERS } from '@kron/core'
import { JOB_TEMPLATE } from './job-template.ts'

/** A node of a structural OpenAPI v3 schema, as used in CustomResourceDefinitions. */
export type Schema = Readonly<Record<string, unknown>>

const text = (description: string, rest: Schema = {}): Schema => ({ type: 'string', description, ...rest })
const time = (description: string): Schema => text(description, { format: 'date-time' })
const count = (description: string, rest: Schema = {}): Schema => ({ type: 'integer', description, ...rest })
const object = (description: string, properties: Schema, rest: Schema = {}): Schema => ({
  type: 'object',
  description,
  properties,
  ...rest,
})

/** A rule with a readable message. A plain `pattern` would show people a regular expression. */
const matching = (pattern: string, message: string, ...more: Schema[]): Schema => ({
  'x-kubernetes-validations': [{ rule: `self.matches(r'${pattern}')`, message }, ...more],
})

/** Go's duration syntax without a sign. Only `0` needs no unit. */
const DURATION = '^(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$'
const DURATION_WORDS = 'must be a duration such as 30s, 10m or 1h30m (units ns, us, ms, s, m, h)'
const duration = (description: string, rest: Schema = {}, ...rules: Schema[]): Schema =>
  text(description, { maxLength: 64, ...rest, ...matching(DURATION, DURATION_WORDS, ...rules) })

/** CEL reads Go's durations except `0`. A text that is not a duration is already reported by another rule. */
const WITHIN_LIMIT = {
  rule: `!self.matches(r'${DURATION}') || self == '0' || duration(self) <= duration('744h')`,
  message: 'must be at most 744h (31 days)',
}

const FIELD = '[0-9A-Za-z*/,-]+'
/** A rough check. The engine's parser decides, and its message goes into InvalidSpec. */
const CRON = `^\\s*(@(hourly|daily|midnight|weekly|monthly|yearly|annually)|${FIELD}(\\s+${FIELD}){4})\\s*$`

const NUMBERS = '^[0-9]{1,2}(-[0-9]{1,2})?(,[0-9]{1,2}(-[0-9]{1,2})?)*$'
const SET = '^[0-9A-Za-z]+(-[0-9A-Za-z]+)?(,[0-9A-Za-z]+(-[0-9A-Za-z]+)?)*$'
const CLOCK = '([01][0-9]|2[0-3]):[0-5][0-9]'
const FILE = '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'
const DATE = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'

const CLAUSE = {
  hours: text('Hours of the day, such as 9-17.', {
    maxLength: 128,
    ...matching(NUMBERS, 'must be hours such as 9-17 or 0,12'),
  }),
  dow: text('Days of the week, such as MON-FRI; 0 and 7 are Sunday.', {
    maxLength: 64,
    ...matching(SET, 'must be days of the week such as MON-FRI or 0,6'),
  }),
  dom: text('Days of the month, such as 1,15.', {
    maxLength: 128,
    ...matching(NUMBERS, 'must be days of the month such as 1,15 or 1-7'),
  }),
  months: text('Months, such as JAN-MAR or 6-8.', {
    maxLength: 64,
    ...matching(SET, 'must be months such as JAN-MAR or 6-8'),
  }),
  between: text('A span of the day, both minutes included: 08:00-20:00.', {
    maxLength: 11,
    ...matching(`^${CLOCK}-${CLOCK}$`, 'must be two times of day such as 08:00-20:00'),
  }),
  date: text('One day: 2026-12-24.', {
    maxLength: 10,
    ...matching(`^${DATE}$`, 'must be a date such as 2026-12-24'),
  }),
  dates: text('A range of days: 2026-12-24..2026-12-31.', {
    maxLength: 22,
    ...matching(`^${DATE}\\.\\.${DATE}$`, 'must be two dates such as 2026-12-24..2026-12-31'),
  }),
  cal: text('A calendar: the key NAME.ics or NAME.dates of the ConfigMap kron-files.', {
    maxLength: 63,
    ...matching(FILE, 'must be the name of a calendar such as holidays'),
  }),
}

const clauseKeys = Object.keys(CLAUSE)
const clause = object('One constraint: exactly one key.', CLAUSE, {
  minProperties: 1,
  maxProperties: 1,
  'x-kubernetes-validations': [
    {
      rule: `[${clauseKeys.map(key => `has(self.${key})`).join(', ')}].filter(present, present).size() == 1`,
      message: `must have exactly one of ${clauseKeys.join(', ')}`,
    },
  ],
})
const clauses = (description: string): Schema => ({ type: 'array', description, maxItems: 64, items: clause })

const above0 = { type: 'number', minimum: 0, exclusiveMinimum: true }

const PARAMETERS = {
  shape: { ...above0, description: 'How skewed skewEarly and skewLate are.' },
  lambda: { ...above0, description: 'How steep exponential is.' },
  mu: text('Where normal has its mean.', { enum: ['nominal', 'start', 'mid', 'end'] }),
  sigma: duration('The standard deviation of normal.'),
  dir: text('Which end exponential favours.', { enum: ['early', 'late'] }),
  file: text('The curve of weights: the key NAME.csv of the ConfigMap kron-files.', {
    maxLength: 63,
    ...matching(FILE, 'must be the name of a weights file such as tariff'),
  }),
}

/** A parameter is allowed only for the distributions that use it. */
const parameterRules = Object.keys(PARAMETERS).map(parameter => {
  const owners = Object.entries(DISTRIBUTION_PARAMETERS).flatMap(
    ([name, taken]: [string, readonly string[]]) => (taken.includes(parameter) ? [name] : []),
  )
  const names = owners.map(name => `'${name}'`).join(', ')
  return {
    rule: `!has(self.params) || !has(self.params.${parameter}) || self.name in [${names}]`,
    message: `the parameter ${parameter} belongs to ${owners.join(' and ')}`,
  }
})

const fileRule = {
  rule: "!has(self.name) || self.name != 'weights' || (has(self.params) && has(self.params.file))",
  message: 'weights need the parameter file',
}

const spec = object(
  'When the Jobs are to run, and what they run.',
  {
    schedule: text('Five cron fields with steps and names, or a macro such as @daily.', {
      minLength: 1,
      maxLength: 1024,
      ...matching(
        CRON,
        'must be five cron fields such as "0 2 * * *", or one of @hourly, @daily, @weekly, @monthly, @yearly',
      ),
    }),
    timezone: text('An IANA time zone in which schedule and constraints are read.', {
      default: 'UTC',
      minLength: 1,
      maxLength: 64,
      ...matching(
        '^[A-Za-z][A-Za-z0-9_+/-]*$',
        'must be the name of a time zone such as UTC or Europe/Paris',
      ),
    }),
    window: object(
      'The span of time, relative to the nominal time, in which a period may start.',
      {
        mode: text('Where the window lies.', { enum: ['after', 'around', 'before'], default: 'after' }),
        duration: duration('How long the window is, at most 744h.', { default: '0s' }, WITHIN_LIMIT),
      },
      { default: {} },
    ),
    distribution: object(
      'How the starts spread over the window.',
      {
        name: text('The shape of the spread.', {
          enum: Object.keys(DISTRIBUTION_PARAMETERS),
          default: 'uniform',
        }),
        params: object('Parameters of the shape.', PARAMETERS),
      },
      { default: {}, 'x-kubernetes-validations': [...parameterRules, fileRule] },
    ),
    seed: object(
      'What makes the choice of two periods differ.',
      {
        strategy: text('stable: every period; daily, weekly: the same offset for a day or an ISO week.', {
          enum: ['stable', 'daily', 'weekly'],
          default: 'stable',
        }),
        salt: text('Text that moves all choices of this KronJob.', { default: '', maxLength: 1024 }),
      },
      { default: {} },
    ),
    constraints: object(
      'Which seconds of the window are allowed.',
      {
        only: clauses('Every kind named here must hold.'),
        avoid: clauses('Whatever matches one of these is refused.'),
      },
      {
        'x-kubernetes-validations': [
          {
            rule: '(has(self.only) ? self.only.size() : 0) + (has(self.avoid) ? self.avoid.size() : 0) <= 64',
            message: 'only and avoid may have 64 clauses together',
          },
        ],
      },
    ),
    policy: object(
      'What happens when a period is due.',
      {
        concurrency: text('What to do while a Job is still active.', {
          enum: ['allow', 'forbid', 'replace'],
          default: 'forbid',
        }),
        deadline: duration('How late a Job may still start, at most 744h.', { default: '0s' }, WITHIN_LIMIT),
        suspend: {
          type: 'boolean',
          description: 'Starts nothing and handles no period while true.',
          default: false,
        },
      },
      { default: {} },
    ),
    history: object(
      'How many finished Jobs are kept.',
      {
        successful: count('Finished Jobs that succeeded.', { minimum: 0, maximum: 1000, default: 3 }),
        failed: count('Finished Jobs that failed.', { minimum: 0, maximum: 1000, default: 1 }),
      },
      { default: {} },
    ),
    jobTemplate: {
      ...JOB_TEMPLATE,
      description:
        'The batch/v1 JobTemplateSpec of the Jobs. It is tried with a dry run whenever it changes.',
      required: ['spec'],
    },
  },
  { required: ['schedule', 'jobTemplate'] },
)

const reference = object('A reference to a Job.', {
  apiVersion: text('Its API version.'),
  kind: text('Its kind.'),
  namespace: text('Its namespace.'),
  name: text('Its name.'),
  uid: text('Its UID.'),
})

const status = object('What the operator has observed and decided.', {
  observedGeneration: count('The generation of the spec that this status is about.', { format: 'int64' }),
  lastPeriodID: text('The last handled period.'),
  lastNominalTime: time('Its nominal time.'),
  lastChosenTime: text('The second that was chosen for it; empty if there was none.'),
  lastOutcome: text('How it ended.', { enum: ['executed', 'skipped', 'missed', 'unschedulable'] }),
  lastReason: text('Why it was not executed.'),
  lastSeedHash: text('The seed hash of its decision.'),
  nextPeriodID: text('The next period.'),
  nextNominalTime: time('Its nominal time.'),
  nextChosenTime: time('The second that is chosen for it.'),
  nextSeedHash: text('The seed hash of its decision.'),
  handledThrough: time('Every period up to this instant is handled.'),
  handledPeriods: {
    type: 'array',
    description: 'Handled periods beyond that, while windows overlap.',
    maxItems: 1000,
    items: { type: 'string', description: 'A nominal time.', format: 'date-time' },
  },
  intent: object(
    'A start that is announced and not yet confirmed.',
    {
      periodID: text('The period.', { format: 'date-time' }),
      jobName: text('The Job that is created for it.'),
      at: time('The second from which its Job may exist.'),
      replacing: { type: 'boolean', description: 'Whether older Jobs have to go first.' },
    },
    { required: ['periodID', 'jobName', 'at'] },
  ),
  active: { type: 'array', description: 'Jobs that have not finished.', items: reference },
  activeCount: count('How many there are.'),
  window: text('The window as text.'),
  lastJobRef: { ...reference, description: 'The Job of the last executed period.' },
  lastSuccessfulTime: time('When a Job last succeeded.'),
  lastFailureTime: time('When a Job last failed.'),
  consecutiveFailures: count('How many Jobs have failed since the last success.'),
  lastFinishedUIDs: {
    type: 'array',
    description:
      'The Jobs that ended in the latest second of the two times above, so that none is counted twice.',
    maxItems: 1000,
    items: { type: 'string', description: 'The UID of a Job.' },
  },
  salt: text("The operator's salt, where it decided the times."),
  calendars: {
    type: 'object',
    description: 'SHA-256 of each calendar that decided the times, by its name.',
    additionalProperties: { type: 'string' },
  },
  weightsDigest: text('SHA-256 of the weights that decided the times.'),
  weightsFallback: text('Why the next period is spread evenly in spite of its weights.', {
    enum: ['missing', 'unreadable', 'stale', 'empty'],
  }),
  conditions: {
    type: 'array',
    description: 'Ready, Reconciling, Stalled, InvalidSpec, SchedulingError, Unschedulable and Suspended.',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
    items: object(
      'One condition.',
      {
        type: text('The name of the condition.', { maxLength: 316 }),
        status: text('Whether it holds.', { enum: ['True', 'False', 'Unknown'] }),
        reason: text('Why, in one word for programs.', { minLength: 1, maxLength: 1024 }),
        message: text('Why, in words for people.', { maxLength: 32768 }),
        lastTransitionTime: time('When the status last changed.'),
        observedGeneration: count('The generation of the spec that it is about.', {
          format: 'int64',
          minimum: 0,
        }),
      },
      { required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'] },
    ),
  },
})

export const KRON_JOB_SCHEMA: Schema = {
  type: 'object',
  description: 'A Job that runs once per period, at a second chosen within a window.',
  required: ['spec'],
  properties: {
    apiVersion: text('The version of this schema.'),
    kind: text('KronJob.'),
    metadata: { type: 'object' },
    spec,
    status,
  },
  'x-kubernetes-validations': [
    {
      rule: "self.metadata.name.size() <= 52 && self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      message: 'metadata.name must be a DNS label of at most 52 characters',
    },
  ],
}
