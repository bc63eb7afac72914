import { type Command, exits, flag, text } from '@kron/cli'
import { AT, FILES, FORMAT, HOSTS, IDENTITY, JOB, PLACE, STATE } from './options.ts'

const ASKED = exits({ 0: 'success', 2: 'bad input' })
const FOUND = exits({ 0: 'success', 1: 'there is no such job', 2: 'bad input' })

const ONE_HOST = {
  ...IDENTITY,
  ...PLACE,
  hosts: { ...HOSTS.hosts, summary: 'a file of hosts in which --host is looked up' },
} as const

export const LINT = {
  name: 'lint',
  summary: 'check job files: every error and warning, with its place',
  details: [
    'Each finding is printed as file:line:column, as compilers do, with the line and a caret under it. Warnings do not make a file invalid.',
  ],
  arguments: [{ name: 'file', optional: true, completes: 'file', summary: 'a job file to check' }],
  options: {
    file: { ...FILES.file, summary: 'a job file to check' },
    'follow-symlinks': flag('accept symbolic links, as krond --follow-symlinks does'),
    strict: flag('treat warnings as errors'),
    at: { ...AT.at, summary: 'check the schedules from this time on, RFC 3339' },
    salt: PLACE.salt,
    hosts: {
      ...HOSTS.hosts,
      summary: 'the hosts that have these files: warn about windows that do not spread over them',
    },
    ...FORMAT,
  },
  examples: [
    { line: 'krontab lint', does: 'checks all files of the config directory' },
    {
      line: 'krontab lint backup.kron --format json',
      does: 'checks one file, for an editor or a pipeline',
    },
  ],
  exits: exits({ 0: 'all files are valid', 1: 'a file is invalid', 2: 'a file cannot be read' }),
} as const satisfies Command

export const EXPLAIN = {
  name: 'explain',
  summary: 'explain the start time of a job, or of a schedule given as text',
  details: [
    'Schedule, period, window, seed, every attempt with the clause that refused it, and the instant chosen, with a drawing of the window and how likely each part of it is.',
  ],
  arguments: [JOB],
  options: {
    ...FILES,
    ...AT,
    period: text('PERIOD', 'explain exactly this period, named by its nominal time'),
    ...ONE_HOST,
    ...FORMAT,
  },
  examples: [
    { line: 'krontab explain backup', does: 'explains the next run of the job' },
    { line: 'krontab explain backup --at 2026-03-01', does: 'explains the period of that time' },
    { line: 'krontab explain backup --period 2026-03-01T02:00:00Z', does: 'explains one period' },
    { line: 'krontab explain backup --host web1.example.org', does: 'explains the run of another host' },
  ],
  exits: FOUND,
} as const satisfies Command

export const NEXT = {
  name: 'next',
  summary: 'show the next runs of a job, of all jobs, or of a schedule given as text',
  arguments: [{ ...JOB, optional: true }],
  options: {
    ...FILES,
    ...AT,
    count: text('N', 'how many runs to show', { short: 'n', otherwise: '10' }),
    ...ONE_HOST,
    ...FORMAT,
  },
  examples: [
    { line: 'krontab next', does: 'shows the next ten runs of all jobs' },
    { line: 'krontab next backup --count 3', does: 'shows the next three runs of one job' },
  ],
  exits: FOUND,
} as const satisfies Command

export const FORECAST = {
  name: 'forecast',
  summary: 'show the coming load, beside that of the same jobs without windows',
  details: ['All times are in UTC, also those of jobs in other zones.'],
  options: {
    ...FILES,
    ...AT,
    for: text('DURATION', 'how far to look ahead', { otherwise: '24h' }),
    bucket: text('DURATION', 'the length of a bucket', { otherwise: '5m' }),
    capacity: text('N', 'show the buckets with more than N starts'),
    ...PLACE,
    hosts: {
      ...HOSTS.hosts,
      summary: 'add up the hosts of this file, one a line: NAME, or NAME and the hash of its machine id',
    },
    ...FORMAT,
  },
  examples: [
    { line: 'krontab forecast', does: 'shows the next 24 hours in buckets of 5 minutes' },
    {
      line: 'krontab forecast --for 168h --bucket 1h --capacity 50',
      does: 'shows a week, and the hours with too many starts',
    },
    { line: 'krontab forecast --hosts fleet.txt', does: 'adds up the starts of a whole fleet' },
  ],
  exits: ASKED,
} as const satisfies Command

export const BALANCE = {
  name: 'balance',
  summary: 'choose salts that lower the peak of the load, and write them on demand',
  details: [
    'Only salts change, never windows or schedules, and only if that lowers the peak. The same files give the same salts again, so a second run changes nothing. With as many starts, no choice of salts gives a peak below the mean.',
    'The salts are chosen for this time. After it, jobs with a stable seed spread as with any other salt: balance again, or use @seed(daily) or @seed(weekly), so that jobs keep their second of the day or week.',
  ],
  options: {
    file: FILES.file,
    as: FILES.as,
    at: { ...AT.at, otherwise: 'the start of this day in UTC' },
    for: text('DURATION', 'how far to look ahead', { otherwise: '7d' }),
    bucket: text('DURATION', 'the length of a bucket', { otherwise: '1m' }),
    capacity: text('N', 'count the buckets with more than N starts'),
    write: flag('put the salts into the files; everything else in them stays as it is'),
    ...PLACE,
    hosts: { ...HOSTS.hosts, summary: 'balance all hosts of this file together' },
    ...FORMAT,
  },
  examples: [
    { line: 'krontab balance', does: 'shows the effect of other salts on the coming week' },
    {
      line: 'krontab balance --hosts fleet.txt --write',
      does: 'puts the best salts for a fleet into the files',
    },
  ],
  exits: exits({ 0: 'success', 2: 'bad input, or a file cannot be written' }),
} as const satisfies Command

export const LIST = {
  name: 'list',
  summary: 'list the jobs with their schedule, window, next run and last outcome',
  options: {
    ...FILES,
    ...AT,
    names: flag('print only the names, one a line'),
    'state-dir': { ...STATE['state-dir'], summary: "krond's state directory, for the last outcomes" },
    ...FORMAT,
  },
  examples: [{ line: 'krontab list', does: 'lists the jobs of the config directory' }],
  exits: ASKED,
} as const satisfies Command

export const HOST = {
  name: 'host',
  summary: 'print the line of this host for a file of hosts: its name and the hash of its machine id',
  details: [
    'The hash does not reveal the machine id, which is confidential. Collect the lines of a fleet in a file for krontab forecast --hosts.',
  ],
  options: {
    'machine-id': text('ID', 'the line of the machine with this id'),
    host: text('NAME', 'the name of that machine', { otherwise: 'this host' }),
    ...FORMAT,
  },
  examples: [{ line: 'krontab host > here.txt', does: 'writes the line of this host to a file' }],
  exits: ASKED,
} as const satisfies Command

export const CALENDAR = {
  name: 'calendar',
  summary: 'check a calendar and show its days and times',
  arguments: [
    { name: 'action', summary: 'check: read a calendar', choices: ['check'] },
    { name: 'name', summary: 'the name of a calendar, as in @avoid(cal=name), or a file' },
  ],
  options: {
    at: { ...AT.at, summary: 'show the days from this time on, RFC 3339' },
    count: text('N', 'how many ranges to show', { short: 'n', otherwise: '20' }),
    ...FORMAT,
  },
  examples: [
    { line: 'krontab calendar check holidays', does: 'shows the next days of calendars/holidays.ics' },
  ],
  exits: exits({
    0: 'the calendar can be read',
    1: 'there is no such calendar, or it is invalid',
    2: 'bad input',
  }),
} as const satisfies Command
