import type { Command } from '@kron/cli'
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
    count: { kind: 'text', short: 'n', value: 'N', summary: 'how many to show at most', otherwise: '20' },
    ...FORMAT,
  },
  examples: [{ line: 'krontab history backup', does: 'shows the last twenty outcomes, the latest first' }],
  exits: [
    { code: 0, when: 'success' },
    { code: 1, when: 'nothing is known of such a job' },
    { code: 2, when: 'the state cannot be read' },
  ],
} as const satisfies Command

export const OUTPUT = {
  name: 'output',
  summary: 'print the output of a run',
  details: [
    'Without an option, this is the active run or, if there is none, the latest one. krond keeps the beginning and the end of each output, 64 KiB in all unless output_keep= says otherwise, as long as the run is in the history.',
  ],
  arguments: [JOB],
  options: {
    period: { kind: 'text', value: 'ID', summary: 'the run of this period, as krontab history names it' },
    run: {
      kind: 'text',
      value: 'ID',
      summary: 'the run with this id, as krontab history --format json names it',
    },
    last: { kind: 'text', value: 'KIND', choices: ['failed'], summary: 'the latest run that failed' },
    follow: { kind: 'flag', summary: 'print new output until the run ends' },
    'stderr-only': { kind: 'flag', summary: 'leave out standard output' },
    ...FILES,
    ...DAEMON,
    ...FORMAT,
  },
  examples: [
    { line: 'krontab output backup', does: 'prints the output of the latest run' },
    { line: 'krontab output backup --last failed --stderr-only', does: 'shows why it failed' },
    { line: 'krontab output backup --follow', does: 'follows the running run' },
  ],
  exits: [
    { code: 0, when: 'success' },
    { code: 1, when: 'there is no such run' },
    { code: 2, when: 'the state cannot be read' },
  ],
} as const satisfies Command

export const STATUS = {
  name: 'status',
  summary: 'show the running jobs and the last outcomes',
  details: [
    'Jobs that are gone from their files are counted, not listed; krontab prune removes their state.',
  ],
  options: { all: { kind: 'flag', summary: 'list the jobs that are gone, too' }, ...STATE, ...FORMAT },
  examples: [{ line: 'krontab status', does: 'shows running executions and the last outcome of every job' }],
  exits: [
    { code: 0, when: 'success' },
    { code: 1, when: 'there is no state' },
    { code: 2, when: 'the state cannot be read' },
  ],
} as const satisfies Command

export const VERIFY = {
  name: 'verify',
  summary: 'recompute the decisions of a log or a state directory and report those that do not match',
  options: {
    log: { kind: 'list', value: 'FILE', completes: 'file', summary: 'a log of krond, in either format' },
    ...STATE,
    ...FILES,
    ...FORMAT,
  },
  examples: [
    { line: 'krontab verify --log /var/log/krond.log', does: 'recomputes every decision in the log' },
    { line: 'krontab verify', does: 'recomputes the last decision of every job in the state directory' },
  ],
  exits: [
    { code: 0, when: 'everything matches' },
    { code: 1, when: 'something does not match' },
    { code: 2, when: 'a file cannot be read' },
  ],
} as const satisfies Command
