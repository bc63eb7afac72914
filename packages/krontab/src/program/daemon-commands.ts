import { type Command, exits, flag, text } from '@kron/cli'
import { AFTER_A_PAUSE } from '@kron/core'
import { TOKEN_SCOPES } from '@kron/host/api'
import { DAEMON, FORMAT, JOB } from './options.ts'

const EXITS = exits({ 0: 'success', 1: 'krond refused, or is not running', 2: 'a value is wrong' })

/** The options of every command that asks krond. */
const ASKING = { ...DAEMON, ...FORMAT } as const

const OPTIONAL_JOB = { ...JOB, optional: true } as const

export const TRIGGER = {
  name: 'trigger',
  summary: 'ask krond to run a job now',
  details: [
    'The run is recorded as manual, with your name. It belongs to no period, and the schedule stays unchanged. The concurrency policy of the job applies: under forbid, krond refuses while a run is active.',
    'Root and the user of krond may run any job. Other users may run the jobs that run as them.',
    "With --wait the exit status is the job's own, or 128 and the number of the signal that ended it.",
  ],
  arguments: [JOB],
  options: {
    wait: flag("wait for its end, show its output, and exit with the job's own status"),
    ...ASKING,
  },
  examples: [
    { line: 'krontab trigger backup', does: 'starts it and returns' },
    { line: 'krontab trigger backup --wait', does: 'runs it to its end' },
  ],
  exits: EXITS,
} as const satisfies Command

const WHEN = {
  from: text('TIME', 'when the pause begins', { otherwise: 'now' }),
  until: text('TIME', 'when it ends by itself', { otherwise: 'when somebody resumes' }),
  reason: text('TEXT', 'the reason, for other users'),
} as const

export const PAUSE = {
  name: 'pause',
  summary: 'stop starting a job, or all jobs, until somebody resumes it',
  details: [
    'A pause works as suspend=true in the job file, but is stored in the state directory, so it survives restarts and reloads. With --from it is planned in advance; next, forecast and explain show it. Active runs are not touched.',
    'Times are RFC 3339. Seconds may be left out; without a zone a time is in UTC, and a date alone is its midnight.',
  ],
  arguments: [OPTIONAL_JOB],
  options: { all: flag('every job'), ...WHEN, ...ASKING },
  examples: [
    { line: 'krontab pause backup --until 2026-06-01 --reason maintenance', does: 'until June' },
    { line: 'krontab pause backup --until 2026-06-01T05:00', does: 'until 05:00 UTC' },
    {
      line: 'krontab pause --all --from 2026-12-24 --until 2026-12-27',
      does: 'plans a freeze over the holidays',
    },
  ],
  exits: EXITS,
} as const satisfies Command

export const RESUME = {
  name: 'resume',
  summary: 'end the pauses of a job, or of all jobs, present and planned',
  details: [AFTER_A_PAUSE],
  arguments: [OPTIONAL_JOB],
  options: { all: flag('end every pause'), ...ASKING },
  examples: [{ line: 'krontab resume backup', does: 'ends its pauses' }],
  exits: EXITS,
} as const satisfies Command

export const RESET = {
  name: 'reset',
  summary: 'open the handled periods of a job after a time again, so that they can still run',
  details: [
    'Use it for a job that does not run because the clock of the host was ahead, or for a missed period that can run now, for example with a longer deadline. When the clock is set back, krond does the first by itself.',
    'A period that was executed, or may have been, is opened only with --force: it could run a second time. Active runs are not touched. The audit log records who did it.',
  ],
  arguments: [JOB],
  options: {
    to: text('TIME', 'open the periods after this time again', { otherwise: 'now' }),
    force: flag('open executed periods, too: they may run a second time'),
    ...ASKING,
  },
  examples: [
    { line: 'krontab reset backup', does: 'opens the coming periods that a wrong clock passed over' },
    {
      line: 'krontab reset backup --to 2026-06-01T00:00:00Z',
      does: 'opens the periods that were missed or skipped since',
    },
  ],
  exits: EXITS,
} as const satisfies Command

export const PRUNE = {
  name: 'prune',
  summary: 'remove the state of jobs that are gone from the job files',
  details: [
    'A job is gone if its file no longer exists, or no longer names it. Its state is kept while a run is active, and until the window and the deadline of its last period are over: a job that is added again does not run a period again.',
    'krond does it if it runs; otherwise krontab does it, under the lock of the state directory.',
  ],
  options: {
    'dry-run': flag('remove nothing, only list the jobs'),
    ...ASKING,
  },
  examples: [{ line: 'krontab prune --dry-run', does: 'shows the jobs that are gone' }],
  exits: exits({
    0: 'success',
    1: 'krond refused, or there is no state',
    2: 'the state cannot be read or changed',
  }),
} as const satisfies Command

export const AUDIT = {
  name: 'audit',
  summary:
    'list the actions of users (trigger, pause, resume, reset, prune, reload, token), the latest first',
  options: {
    count: text('N', 'how many to show at most', { short: 'n', otherwise: '20' }),
    ...ASKING,
  },
  examples: [{ line: 'krontab audit', does: 'shows the last twenty actions' }],
  exits: EXITS,
} as const satisfies Command

export const NOTIFY = {
  name: 'notify',
  summary: 'send one test message of each event to the targets of a job',
  arguments: [{ name: 'action', choices: ['test'], summary: 'test' }, JOB],
  options: ASKING,
  examples: [{ line: 'krontab notify test backup', does: 'shows which targets accepted the messages' }],
  exits: exits({
    0: 'success',
    1: 'a target did not accept a message, or krond refused',
    2: 'a value is wrong',
  }),
} as const satisfies Command

export const CONSOLE = {
  name: 'console',
  summary: 'print the link to the web console of the running krond',
  details: [
    'The link carries the token of krond, which lets its reader see output and start, pause and reload jobs. Only root and the user of krond can read the token; others get the link without it.',
  ],
  options: ASKING,
  examples: [{ line: 'krontab console', does: 'prints the link; open it in a browser on this host' }],
  exits: exits({ 0: 'success', 1: 'krond is not running, or serves no console' }),
} as const satisfies Command

export const TOKEN = {
  name: 'token',
  summary: "add, list and remove tokens with fewer rights than krond's own",
  details: [
    'A token of scope read sees everything that krond shows over HTTP, with commands and output, and does nothing. A token of scope operate may also trigger, pause and resume jobs and test their notifications. Neither may reload, reset, prune or add tokens.',
    'The new token is printed once; krond keeps only a hash of it. A removed token is refused at once. The audit log names the token by which something was done.',
    'Only root and the user of krond may do this, on the host itself.',
  ],
  arguments: [
    { name: 'action', choices: ['add', 'list', 'remove'], summary: 'add, list or remove' },
    { name: 'name', optional: true, summary: 'the name of the token: for whom or for what it is' },
  ],
  options: {
    scope: text('SCOPE', 'what a new token allows', { choices: TOKEN_SCOPES, otherwise: 'read' }),
    ...ASKING,
  },
  examples: [
    { line: 'krontab token add prometheus', does: 'prints a token that may only look' },
    { line: 'krontab token add deploy --scope operate', does: 'prints one that may also run and pause jobs' },
    { line: 'krontab token remove deploy', does: 'ends it at once' },
  ],
  exits: EXITS,
} as const satisfies Command
