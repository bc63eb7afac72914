import type { Options } from '@kron/cli'

/** Options that several commands share. */
export const FORMAT = {
  format: {
    kind: 'text',
    value: 'FORMAT',
    choices: ['text', 'json'],
    summary: 'how to print',
    otherwise: 'text',
  },
} as const satisfies Options

export const FILES = {
  file: {
    kind: 'list',
    short: 'f',
    value: 'FILE',
    completes: 'file',
    summary: 'a job file to read',
    otherwise: 'all of the config directory',
  },
  as: {
    kind: 'text',
    value: 'DIR',
    completes: 'directory',
    summary: 'answer as if the files were installed in DIR; a job is identified by its path and name',
  },
  'system-crontab': {
    kind: 'list',
    value: 'PATH',
    completes: 'file',
    summary: 'a crontab with a user column, or a directory such as /etc/cron.d',
  },
  'user-crontabs': {
    kind: 'list',
    value: 'DIR',
    completes: 'directory',
    summary: 'a directory of crontabs, each named by its user',
  },
} as const satisfies Options

export const AT = {
  at: {
    kind: 'text',
    value: 'TIME',
    summary:
      'the time to start from, RFC 3339; a date alone is its midnight, a time without a zone is in UTC',
    otherwise: 'now',
  },
} as const satisfies Options

export const PLACE = {
  host: {
    kind: 'text',
    value: 'NAME',
    summary: 'answer for the host of this name: %H in salts',
    otherwise: 'this host',
  },
  'machine-id': {
    kind: 'text',
    value: 'ID',
    summary: 'answer for the machine with this id: %m in salts is a hash of it',
  },
  salt: {
    kind: 'text',
    value: 'SALT',
    summary: 'the salt of jobs that have none of their own',
    otherwise: 'salt in /etc/krond.conf',
  },
} as const satisfies Options

export const HOSTS = {
  hosts: {
    kind: 'text',
    value: 'FILE',
    completes: 'file',
    summary: 'the hosts of a fleet, one a line: NAME, or NAME and the hash of its machine id',
  },
} as const satisfies Options

export const IDENTITY = {
  identity: {
    kind: 'text',
    value: 'ID',
    summary: 'decide under this identity, to reproduce a decision of another host',
  },
} as const satisfies Options

export const STATE = {
  'state-dir': {
    kind: 'text',
    value: 'DIR',
    completes: 'directory',
    summary: "krond's state directory",
    otherwise: '/var/lib/krond for root, the XDG state directory for others',
  },
} as const satisfies Options

/** Options that select the daemon. */
export const DAEMON = {
  ...STATE,
  'runtime-dir': {
    kind: 'text',
    value: 'DIR',
    completes: 'directory',
    summary: 'where the control socket of krond lies',
    otherwise: '/run/krond, or in the XDG runtime directory',
  },
} as const satisfies Options

export const JOB = {
  name: 'job',
  completes: 'job',
  summary: 'the name of a job, or <path>:<name> where several files have one of that name',
} as const
