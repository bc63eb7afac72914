import { type Command, exits, flag, list, type Options, text } from '@kron/cli'

const where = {
  'state-dir': text('DIR', 'where state is kept', {
    completes: 'directory',
    otherwise: '/var/lib/krond, or the XDG state directory',
  }),
  'runtime-dir': text('DIR', 'where the claims of runs and the control socket lie while the machine is up', {
    completes: 'directory',
    otherwise: '/run/krond, or in the XDG runtime directory',
  }),
} as const satisfies Options

const configuration = {
  config: list('PATH', 'a job file, or a directory of *.kron files', {
    completes: 'file',
    otherwise: '/etc/krond.d, or the XDG config directory',
  }),
  'follow-symlinks': flag('accept job files that are symbolic links'),
  strict: flag('treat warnings of krontab lint as mistakes'),
  salt: text(
    'SALT',
    'the salt of jobs that have none of their own: %H host name, %m hash of the machine id',
    { otherwise: 'none: every host with the same files chooses the same seconds' },
  ),
  'system-crontab': list('PATH', 'a crontab with a user column, or a directory of them such as /etc/cron.d', {
    completes: 'file',
  }),
  'user-crontabs': list('DIR', 'a directory of crontabs, each named by the user it runs as', {
    completes: 'directory',
  }),
  'user-job-files': flag('run the job files in ~/.config/krond of all users, as their owners; only for root'),
  'cron-directories': flag('make each script that a run-parts line of /etc/crontab runs a job of its own'),
  'crontab-window': text('DURATION', 'a window for crontab lines without one', {
    otherwise: 'none, so that they start exactly when cron starts them',
  }),
} as const satisfies Options

const START = {
  name: 'start',
  summary: 'run the daemon in the foreground',
  details: [
    'Every option can also be set by a variable (--state-dir: KROND_STATE_DIR) and by a line in /etc/krond.conf (state-dir = /srv/krond). An option goes before a variable, a variable before the file.',
    'Crontabs are read as cron reads them, and again within seconds of a change; a crontab with a mistake stops only itself. A comment such as "# kron: name=backup @win(after,15m)" above a line names its job and gives it a window.',
    'SIGHUP reloads the job files; a mistake in them changes nothing. SIGTERM and SIGINT stop krond: it starts nothing new and then does with running jobs what --stop says (default: it waits for them). A second signal leaves them to the next daemon, which adopts them.',
  ],
  options: {
    ...configuration,
    ...where,
    'pid-file': text('FILE', 'where the PID is written', {
      completes: 'file',
      otherwise: '/run/krond.pid, or in the XDG runtime directory',
    }),
    'log-format': text('FORMAT', 'how log lines are written: short for people, text and json for machines', {
      choices: ['short', 'text', 'json'],
      otherwise: 'short on a terminal, else text',
    }),
    'log-level': text('LEVEL', 'the lowest level that is logged', {
      choices: ['debug', 'info', 'warn', 'error'],
      otherwise: 'info',
    }),
    listen: text(
      'ADDRESS',
      'serve API, metrics and console: host:port, a port of 127.0.0.1, or a Unix socket',
      { otherwise: 'not at all' },
    ),
    'token-file': text(
      'FILE',
      "krond's own token, in a file of yours; with this option, API and metrics need a token on this machine, too",
      { completes: 'file', otherwise: 'the file token in the state directory, which krond makes' },
    ),
    'tls-cert': text('FILE', 'the certificate to serve HTTPS with; needed beyond this machine', {
      completes: 'file',
    }),
    'tls-key': text('FILE', 'the private key of the certificate', { completes: 'file' }),
    history: text('N', 'outcomes kept per job', { otherwise: '50' }),
    'max-concurrent': text('N', 'executions that may run at once; more starts wait', {
      otherwise: 'no limit',
    }),
    stop: text('HOW', 'how to stop: wait for running jobs, end them, or leave them to the next krond', {
      choices: ['wait', 'terminate', 'leave'],
      otherwise: 'wait',
    }),
    'stop-timeout': text('DURATION', 'how long a stop waits before it leaves jobs running', {
      otherwise: 'as long as it takes',
    }),
    cgroup: text(
      'WHOSE',
      'own: each run gets a cgroup below that of krond, which a service manager has delegated',
      { choices: ['none', 'own'], otherwise: 'none' },
    ),
    notify: text(
      'TARGETS',
      'the targets of jobs without notify=: mail:ADDRESS, webhook:URL, command:PATH, with commas between them',
      { otherwise: 'nobody' },
    ),
    'notify-on': text(
      'EVENTS',
      'the events to report: failed, missed, unschedulable, timed_out, recovered, output',
      { otherwise: 'failed,missed,unschedulable,recovered' },
    ),
    'notify-secret-file': text(
      'FILE',
      'the secret that signs webhooks, in a file that nobody else can read',
      { completes: 'file' },
    ),
    sendmail: text('PROGRAM', 'the program that sends mails', {
      completes: 'file',
      otherwise: '/usr/sbin/sendmail',
    }),
    'keep-going': flag(
      'leave out files with mistakes instead of refusing to start; a reload keeps the jobs they had',
    ),
    foreground: flag('accepted for service managers: krond never goes to the background'),
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
  exits: exits({
    0: 'it was stopped',
    1: 'the configuration has mistakes',
    2: 'the state cannot be used safely',
    3: 'another krond uses the state directory',
    4: 'it had to end: a state write failed, kron-shim serve died, the runtime directory was removed, or an unexpected error',
  }),
} as const satisfies Command

const VALIDATE = {
  name: 'validate',
  summary: 'check everything as start does, but start nothing',
  options: configuration,
  examples: [{ line: 'krond validate --config /etc/krond.d', does: 'before a reload' }],
  exits: exits({ 0: 'krond would start', 1: 'it would not' }),
} as const satisfies Command

const STATUS = {
  name: 'status',
  summary: 'show the state of the running daemon',
  options: {
    ...where,
    format: text('FORMAT', 'text for people, JSON for programs', {
      choices: ['text', 'json'],
      otherwise: 'text',
    }),
  },
  examples: [{ line: 'krond status --format json', does: 'for a monitoring script' }],
  exits: exits({ 0: 'a daemon answered', 1: 'none is running' }),
} as const satisfies Command

const RELOAD = {
  name: 'reload',
  summary: 'make the running daemon read its job files again, and wait for the result',
  options: where,
  examples: [{ line: 'krond reload', does: 'after an edit: 3 added, 1 changed, 2 removed, 40 unchanged' }],
  exits: exits({
    0: 'the new configuration is in force',
    1: 'it has mistakes, which are listed, and the old one stays; with --keep-going, a job file is left out; or no daemon is running',
  }),
} as const satisfies Command

const STOP = {
  name: 'stop',
  summary: 'stop the running daemon and wait until it is gone',
  options: where,
  examples: [{ line: 'krond stop', does: 'treats running jobs as --stop of krond start says' }],
  exits: exits({ 0: 'the daemon is gone', 1: 'none is running, or it may not be signalled' }),
} as const satisfies Command

export const KROND = {
  name: 'krond',
  summary: 'run jobs at deterministic times within their windows, each period at most once',
  details: ['Job files are checked, explained and edited with krontab.'],
  commands: [START, STATUS, RELOAD, STOP, VALIDATE],
} as const satisfies Command
