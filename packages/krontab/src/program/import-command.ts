import type { Command } from '@kron/cli'
import { AT, FORMAT } from './options.ts'

export const IMPORT = {
  name: 'import',
  summary: 'translate crontabs and systemd timers into a job file',
  details: [
    'The new file goes to standard output, the report to standard error. Both name every line that cannot be carried over. For every job, import compares the next 50 starts, the user, groups, directory, umask, shell, environment and mail with those of cron or systemd, and lists every difference.',
    'In the file, "lost" marks parts that are not carried over, and "changed" marks parts that behave differently.',
  ],
  options: {
    crontab: {
      kind: 'list',
      value: 'FILE',
      completes: 'file',
      summary: "a user's crontab; - is standard input",
    },
    system: {
      kind: 'list',
      value: 'PATH',
      completes: 'file',
      summary: '/etc/crontab, a file of /etc/cron.d, or such a directory',
    },
    systemd: {
      kind: 'list',
      value: 'UNIT',
      completes: 'file',
      summary: 'a timer: a path, or the name of a unit',
    },
    cronjob: {
      kind: 'list',
      value: 'FILE',
      completes: 'file',
      summary: 'removed: use kronctl convert -f FILE',
    },
    cron: {
      kind: 'text',
      value: 'NAME',
      choices: ['debian', 'cronie'],
      otherwise: 'debian',
      summary: 'the cron that ran the crontabs: only cronie knows CRON_TZ, RANDOM_DELAY and ~',
    },
    user: { kind: 'text', value: 'NAME', summary: "run the jobs of a user's crontab as this user" },
    timezone: { kind: 'text', value: 'ZONE', summary: 'the zone the host keeps', otherwise: "this host's" },
    suggest: { kind: 'flag', summary: 'add windows to jobs that start together, within their hour' },
    output: {
      kind: 'text',
      short: 'o',
      value: 'FILE',
      completes: 'file',
      summary: 'write the new file here',
    },
    replace: { kind: 'flag', summary: 'replace the file of --output' },
    at: { ...AT.at, summary: 'compare and forecast from this time on, RFC 3339' },
    ...FORMAT,
  },
  examples: [
    { line: 'crontab -l | krontab import --crontab -', does: 'shows your own crontab as a job file' },
    {
      line: 'krontab import --system /etc/crontab --system /etc/cron.d --suggest -o host.kron',
      does: 'imports the crontabs of the host, spread within the hour',
    },
    { line: 'krontab import --systemd logrotate.timer', does: 'imports a timer with its service' },
  ],
  exits: [
    { code: 0, when: 'everything was carried over' },
    { code: 1, when: 'something could not be carried over' },
    { code: 2, when: 'a file cannot be read or written, or bad input' },
  ],
} as const satisfies Command
