import type { Command, Options } from '@kron/cli'

const where = {
  'state-dir': {
    kind: 'text',
    value: 'DIR',
    completes: 'directory',
    summary: 'where state is kept',
    otherwise: '/var/lib/krond, or the XDG state directory',
  },
  'runtime-dir': {
    kind: 'text',
    value: 'DIR',
    completes: 'directory',
    summary: 'where the claims of runs and the control socket lie while the machine is up',
    otherwise: '/run/krond, or in the XDG runtime directory',
  },
} as const satisfies Options

const configuration = {
  config: {
    kind: 'list',
    value: 'PATH',
    completes: 'file',
    summary: 'a job file, or a directory of *.kron files',
    otherwise: '/etc/krond.d, or the XDG config directory',
  },
  'follow-symlinks': { kind: 'flag', summary: 'accept job files that are symbolic links' },
  strict: { kind: 'flag', summary: 'treat warnings of krontab lint as mistakes' },
  salt: {
    kind: 'text',
    value: 'SALT',
    summary: 'the salt of jobs that have none of their own: %H host name, %m hash of the machine id',
    otherwise: 'none: every host with the same files chooses the same seconds',
  },
  'system-crontab': {
    kind: 'list',
    value: 'PATH',
    completes: 'file',
    summary: 'a crontab with a user column, or a directory of them such as /etc/cron.d',
  },
  'user-crontabs': {
    kind: 'list',
    value: 'DIR',
    completes: 'directory',
    summary: 'a directory of crontabs, each named by the user it runs as',
  },
  'user-job-files': {
    kind: 'flag',
    summary: 'run the job files in ~/.config/krond of all users, as their owners; only for root',
  },
  'cron-directories': {
    kind: 'flag',
    summary: 'make each script that a run-parts line of /etc/crontab runs a job of its own',
  },
  'crontab-window': {
    kind: 'text',
    value: 'DURATION',
    summary: 'a window for crontab lines without one',
    otherwise: 'none, so that they start exactly when cron starts them',
  },
} as const satisfies Options

export const START = {
  name: 'start',
  summary: 'run the daemon in the foreground',
  details: [
    'Every option can also be set by a variable (--state-dir: KROND_STATE_DIR) and by a line in /etc/krond.conf (state-dir = /srv/krond). An option goes before a variable, a variable before the file.',
    'Crontabs are read as cron reads them, and again within seconds of a change; a crontab with a mistake stops only itself. A comment such as "# kron: name=backup @win(after,15m)" above a line names its job and gives it a window.',
    'SIGHUP reloads the job files; a mistake in them changes nothing. SIGTERM and SIGINT stop: no new starts, then the waits for running jobs. A second signal leaves them to the next daemon, which adopts them.',
  ],
  options: {
    ...configuration,
    ...where,
    'pid-file': {
      kind: 'text',
      value: 'FILE',
      completes: 'file',
      summary: 'where the PID is written',
      otherwise: '/run/krond.pid, or in the XDG runtime directory',
    },
    'log-format': {
      kind: 'text',
      value: 'FORMAT',
      choices: ['short', 'text', 'json'],
      summary: 'how log lines are written: short for people, text and json for machines',
      otherwise: 'short on a terminal, else text',
    },
    'log-level': {
      kind: 'text',
      value: 'LEVEL',
      choices: ['debug', 'info', 'warn', 'error'],
      summary: 'the lowest level that is logged',
      otherwise: 'info',
    },
    listen: {
      kind: 'text',
      value: 'ADDRESS',
      summary: 'serve API, metrics and console: host:port, a port of 127.0.0.1, or a Unix socket',
      otherwise: 'not at all',
    },
    'token-file': {
      kind: 'text',
      value: 'FILE',
      completes: 'file',
      summary:
        "krond's own token, in a file of yours; with this option, API and metrics need a token on this machine, too",
      otherwise: 'the file token in the state directory, which krond makes',
    },
    'tls-cert': {
      kind: 'text',
      value: 'FILE',
      completes: 'file',
      summary: 'the certificate to serve HTTPS with; needed beyond this machine',
    },
    'tls-key': {
      kind: 'text',
      value: 'FILE',
      completes: 'file',
      summary: 'the private key of the certificate',
    },
    history: { kind: 'text', value: 'N', summary: 'outcomes kept per job', otherwise: '50' },
    'max-concurrent': {
      kind: 'text',
      value: 'N',
      summary: 'executions that may run at once; more starts wait',
      otherwise: 'no limit',
    },
    stop: {
      kind: 'text',
      value: 'HOW',
      choices: ['wait', 'terminate', 'leave'],
      summary: 'how to stop: wait for running jobs, end them, or leave them to the next krond',
      otherwise: 'wait',
    },
    'stop-timeout': {
      kind: 'text',
      value: 'DURATION',
      summary: 'how long a stop waits before it leaves jobs running',
      otherwise: 'as long as it takes',
    },
    cgroup: {
      kind: 'text',
      value: 'WHOSE',
      choices: ['none', 'own'],
      summary: 'own: each run gets a cgroup below that of krond, which a service manager has delegated',
      otherwise: 'none',
    },
    notify: {
      kind: 'text',
      value: 'TARGETS',
      summary:
        'the targets of jobs without notify=: mail:ADDRESS, webhook:URL, command:PATH, with commas between them',
      otherwise: 'nobody',
    },
    'notify-on': {
      kind: 'text',
      value: 'EVENTS',
      summary: 'the events to report: failed, missed, unschedulable, timed_out, recovered, output',
      otherwise: 'failed,missed,unschedulable,recovered',
    },
    'notify-secret-file': {
      kind: 'text',
      value: 'FILE',
      completes: 'file',
      summary: 'the secret that signs webhooks, in a file that nobody else can read',
    },
    sendmail: {
      kind: 'text',
      value: 'PROGRAM',
      completes: 'file',
      summary: 'the program that sends mails',
      otherwise: '/usr/sbin/sendmail',
    },
    'keep-going': {
      kind: 'flag',
      summary: 'leave out files with mistakes instead of refusing to start; a reload keeps the jobs they had',
    },
    foreground: {
      kind: 'flag',
      summary: 'accepted for service managers: krond never goes to the background',
    },
  },
  examples: [
    {
      line: 'krond start --config ./jobs --state-dir ./state',
      does: 'run the job files of a directory as yourself',
    },
    { line: 'krond start --log-format json --keep-going', does: 'as a service' },
    {
      line: 'krond start --system-crontab /etc/crontab --system-crontab /etc/cron.d --user-crontabs /var/spool/cron/crontabs',
      does: "in cron's place, with cron's own files",
    },
  ],
  exits: [
    { code: 0, when: 'it was stopped' },
    { code: 1, when: 'the configuration has mistakes' },
    { code: 2, when: 'the state cannot be used safely' },
    { code: 3, when: 'another krond uses the state directory' },
    { code: 4, when: 'it had to end: a state write failed, kron-shim serve died, or an unexpected error' },
  ],
} as const satisfies Command

export const VALIDATE = {
  name: 'validate',
  summary: 'check everything as start does, but start nothing',
  options: configuration,
  examples: [{ line: 'krond validate --config /etc/krond.d', does: 'before a reload' }],
  exits: [
    { code: 0, when: 'krond would start' },
    { code: 1, when: 'it would not' },
  ],
} as const satisfies Command

export const STATUS = {
  name: 'status',
  summary: 'show the state of the running daemon',
  options: {
    ...where,
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: ['text', 'json'],
      summary: 'text for people, JSON for programs',
      otherwise: 'text',
    },
  },
  examples: [{ line: 'krond status --format json', does: 'for a monitoring script' }],
  exits: [
    { code: 0, when: 'a daemon answered' },
    { code: 1, when: 'none is running' },
  ],
} as const satisfies Command

export const RELOAD = {
  name: 'reload',
  summary: 'make the running daemon read its job files again, and wait for the result',
  options: where,
  examples: [{ line: 'krond reload', does: 'after an edit: 3 added, 1 changed, 2 removed, 40 unchanged' }],
  exits: [
    { code: 0, when: 'the new configuration is in force' },
    {
      code: 1,
      when: 'it has mistakes, which are listed, and the old one stays; with --keep-going, a job file is left out; or no daemon is running',
    },
  ],
} as const satisfies Command

export const STOP = {
  name: 'stop',
  summary: 'stop the running daemon and wait until it is gone',
  options: where,
  examples: [{ line: 'krond stop', does: 'waits for running jobs' }],
  exits: [
    { code: 0, when: 'the daemon is gone' },
    { code: 1, when: 'none is running, or it may not be signalled' },
  ],
} as const satisfies Command

export const KROND = {
  name: 'krond',
  summary: 'run jobs at deterministic times within their windows, each period at most once',
  details: ['Job files are checked, explained and edited with krontab.'],
  commands: [START, STATUS, RELOAD, STOP, VALIDATE],
} as const satisfies Command
