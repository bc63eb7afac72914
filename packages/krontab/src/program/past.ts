import type { Command } from '@kron/cli'
import { FILES, FORMAT, JOB, STATE } from './options.ts'

export const HISTORY = {
  name: 'history',
  summary: 'show the recent outcomes of a job',
  arguments: [JOB],
  options: {
    ...FILES,
    ...STATE,
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

export const STATUS = {
  name: 'status',
  summary: 'show what is running, and how the last periods ended',
  options: { ...STATE, ...FORMAT },
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
