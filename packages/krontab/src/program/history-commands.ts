import { type Command, exits, flag, list, text } from '@kron/cli'
import { DAEMON, FILES, FORMAT, JOB, STATE } from './options.ts'

export const HISTORY = {
  name: 'history',
  summary: 'show the recent outcomes of a job, and the last line that each failed run printed',
  details: [
    'It reads the state directory. If you may not read it, the daemon answers, for jobs that run as you.',
  ],
  arguments: [JOB],
  options: {
    ...FILES,
    ...DAEMON,
    count: text('N', 'how many to show at most', { short: 'n', otherwise: '20' }),
    ...FORMAT,
  },
  examples: [{ line: 'krontab history backup', does: 'shows the last twenty outcomes, the latest first' }],
  exits: exits({ 0: 'success', 1: 'nothing is known of such a job', 2: 'the state cannot be read' }),
} as const satisfies Command

export const OUTPUT = {
  name: 'output',
  summary: 'print the output of a run',
  details: [
    'Without an option, this is the active run or, if there is none, the latest one. krond keeps the beginning and the end of each output, 64 KiB in all unless output_keep= says otherwise, as long as the run is in the history.',
  ],
  arguments: [JOB],
  options: {
    period: text('ID', 'the run of this period, as krontab history names it'),
    run: text('ID', 'the run with this id, as krontab history --format json names it'),
    last: text('KIND', 'the latest run that failed', { choices: ['failed'] }),
    follow: flag('print new output until the run ends'),
    'stderr-only': flag('leave out standard output'),
    ...FILES,
    ...DAEMON,
    ...FORMAT,
  },
  examples: [
    { line: 'krontab output backup', does: 'prints the output of the latest run' },
    { line: 'krontab output backup --last failed --stderr-only', does: 'shows why it failed' },
    { line: 'krontab output backup --follow', does: 'follows the running run' },
  ],
  exits: exits({ 0: 'success', 1: 'there is no such run', 2: 'the state cannot be read' }),
} as const satisfies Command

export const STATUS = {
  name: 'status',
  summary: 'show the running jobs and the last outcomes',
  details: [
    'Jobs that are gone from their files are counted, not listed; krontab prune removes their state.',
  ],
  options: { all: flag('list the jobs that are gone, too'), ...STATE, ...FORMAT },
  examples: [{ line: 'krontab status', does: 'shows running executions and the last outcome of every job' }],
  exits: exits({ 0: 'success', 1: 'there is no state', 2: 'the state cannot be read' }),
} as const satisfies Command

export const VERIFY = {
  name: 'verify',
  summary: 'recompute the decisions of a log or a state directory and report those that do not match',
  options: {
    log: list('FILE', 'a log of krond, in either format', { completes: 'file' }),
    ...STATE,
    ...FILES,
    ...FORMAT,
  },
  examples: [
    { line: 'krontab verify --log /var/log/krond.log', does: 'recomputes every decision in the log' },
    { line: 'krontab verify', does: 'recomputes the last decision of every job in the state directory' },
  ],
  exits: exits({ 0: 'everything matches', 1: 'something does not match', 2: 'a file cannot be read' }),
} as const satisfies Command
