import { list, type Options, text } from '@kron/cli'

/** Options that several commands share. */
export const FORMAT = {
  format: text('FORMAT', 'how to print', { choices: ['text', 'json'], otherwise: 'text' }),
} as const satisfies Options

export const FILES = {
  file: list('FILE', 'a job file to read', {
    short: 'f',
    completes: 'file',
    otherwise: 'all of the config directory',
  }),
  as: text('DIR', 'answer as if the files were installed in DIR; a job is identified by its path and name', {
    completes: 'directory',
  }),
  'system-crontab': list('PATH', 'a crontab with a user column, or a directory such as /etc/cron.d', {
    completes: 'file',
  }),
  'user-crontabs': list('DIR', 'a directory of crontabs, each named by its user', { completes: 'directory' }),
} as const satisfies Options

export const AT = {
  at: text(
    'TIME',
    'the time to start from, RFC 3339; a date alone is its midnight, a time without a zone is in UTC',
    { otherwise: 'now' },
  ),
} as const satisfies Options

export const PLACE = {
  host: text('NAME', 'answer for the host of this name: %H in salts', { otherwise: 'this host' }),
  'machine-id': text('ID', 'answer for the machine with this id: %m in salts is a hash of it'),
  salt: text('SALT', 'the salt of jobs that have none of their own', {
    otherwise: 'salt in /etc/krond.conf',
  }),
} as const satisfies Options

export const HOSTS = {
  hosts: text('FILE', 'the hosts of a fleet, one a line: NAME, or NAME and the hash of its machine id', {
    completes: 'file',
  }),
} as const satisfies Options

export const IDENTITY = {
  identity: text('ID', 'decide under this identity, to reproduce a decision of another host'),
} as const satisfies Options

export const STATE = {
  'state-dir': text('DIR', "krond's state directory", {
    completes: 'directory',
    otherwise: '/var/lib/krond for root, the XDG state directory for others',
  }),
} as const satisfies Options

/** Options that select the daemon. */
export const DAEMON = {
  ...STATE,
  'runtime-dir': text('DIR', 'where the control socket of krond lies', {
    completes: 'directory',
    otherwise: '/run/krond, or in the XDG runtime directory',
  }),
} as const satisfies Options

export const JOB = {
  name: 'job',
  completes: 'job',
  summary: 'the name of a job, or <path>:<name> where several files have one of that name',
} as const
