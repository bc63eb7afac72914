import { type Command, exits, flag, list, text } from '@kron/cli'
import { AT, FORMAT } from './options.ts'

export const IMPORT = {
  name: 'import',
  summary: 'translate crontabs and systemd timers into a job file',
  details: [
    'The new file goes to standard output, the report to standard error. Both name every line that cannot be carried over. For every job, import compares the next 50 starts, the user, groups, directory, umask, shell, environment and mail with those of cron or systemd, and lists every difference.',
    'In the file, "lost" marks parts that are not carried over, and "changed" marks parts that behave differently.',
  ],
  options: {
    crontab: list('FILE', "a user's crontab; - is standard input", { completes: 'file' }),
    system: list('PATH', '/etc/crontab, a file of /etc/cron.d, or such a directory', { completes: 'file' }),
    systemd: list('UNIT', 'a timer: a path, or the name of a unit', { completes: 'file' }),
    cronjob: list('FILE', 'removed: use kronctl convert -f FILE', { completes: 'file' }),
    cron: text('NAME', 'the cron that ran the crontabs: only cronie knows CRON_TZ, RANDOM_DELAY and ~', {
      choices: ['debian', 'cronie'],
      otherwise: 'debian',
    }),
    user: text('NAME', "run the jobs of a user's crontab as this user"),
    timezone: text('ZONE', 'the zone the host keeps', { otherwise: "this host's" }),
    suggest: flag('add windows to jobs that start together, within their hour'),
    output: text('FILE', 'write the new file here', { short: 'o', completes: 'file' }),
    replace: flag('replace the file of --output'),
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
  exits: exits({
    0: 'everything was carried over',
    1: 'something could not be carried over',
    2: 'a file cannot be read or written, or bad input',
  }),
} as const satisfies Command
