import { type Command, exits, flag, SHELLS, text } from '@kron/cli'
import { FILES, FORMAT, JOB, STATE } from './options.ts'

const FORCE = {
  force: flag('accept shell syntax in a command without shell=true'),
} as const

export const ADD = {
  name: 'add',
  summary: 'check a job file and install it into the config directory',
  details: [
    'The file is installed atomically and durably, and only if it is valid. krond uses it after the next reload.',
    'If the same file is already there, nothing changes, and the first word of the output is "unchanged"; otherwise it is "installed" or "replaced". With --replace the command can therefore be repeated.',
  ],
  options: {
    file: text('FILE', 'the job file to install', { short: 'f', completes: 'file' }),
    to: text('DIR', 'where to', { completes: 'directory', otherwise: 'the config directory' }),
    replace: flag('replace a file of the same name'),
    ...FORCE,
    'dry-run': flag('check everything and print the changes, but write nothing'),
    ...FORMAT,
  },
  examples: [
    { line: 'krontab add --file backup.kron', does: 'installs the file if it is valid' },
    {
      line: 'krontab add --file backup.kron --replace --dry-run --format json',
      does: 'says whether it would change anything, for configuration management',
    },
  ],
  exits: exits({
    0: 'installed, replaced or unchanged; with --dry-run: it would be',
    1: 'the file is invalid, or has shell syntax in a command without shell=true',
    2: 'a file cannot be read or written, or another one of that name is there and --replace is not given',
  }),
} as const satisfies Command

export const REMOVE = {
  name: 'remove',
  summary: 'remove a job from its file',
  details: ['Everything else in the file stays byte for byte. The state of the job stays, too.'],
  arguments: [JOB],
  options: { file: FILES.file, ...FORMAT },
  examples: [{ line: 'krontab remove backup', does: 'removes the job backup' }],
  exits: exits({ 0: 'removed', 1: 'there is no such job', 2: 'a file cannot be read or written' }),
} as const satisfies Command

export const EDIT = {
  name: 'edit',
  summary: 'edit a job file, and install it only if it is valid',
  details: [
    'Opens a copy in $VISUAL or $EDITOR. If the result is invalid you may edit it again or leave the file as it was.',
  ],
  arguments: [
    {
      name: 'file',
      completes: 'file',
      summary: 'a path, or the name of a file in the config directory; it may be new',
    },
  ],
  options: { ...FORCE, ...FORMAT },
  examples: [
    { line: 'krontab edit backup.kron', does: 'edits the file of that name in the config directory' },
  ],
  exits: exits({
    0: 'installed, or unchanged',
    1: 'the edited file is invalid and was not installed',
    2: 'a file cannot be read or written, or the editor failed',
  }),
} as const satisfies Command

export const RUN = {
  name: 'run',
  summary: "run a job's command once, now, exactly as krond would",
  details: [
    'User, group, directory, environment, umask, limits, timeout and shell are those of the job; for the others, those of the running krond apply. A file that krond would not trust is refused. No state is read or written. Output goes where the job sends it: if that is "inherit", to this terminal.',
  ],
  arguments: [JOB],
  options: {
    ...FILES,
    'follow-symlinks': flag('accept symbolic links, as krond --follow-symlinks does'),
    ...STATE,
  },
  examples: [{ line: 'krontab run backup', does: 'runs the job in the foreground' }],
  exits: exits({
    0: "the command's own exit status; 128 + n if signal n ended it",
    125: 'there is no such job, or bad input',
    126: 'the command cannot be executed',
    127: 'the command was not found',
  }),
} as const satisfies Command

export const COMPLETION = {
  name: 'completion',
  summary: 'print a completion script for a shell',
  arguments: [{ name: 'shell', summary: 'which shell', choices: SHELLS }],
  examples: [
    { line: 'krontab completion bash > /etc/bash_completion.d/krontab', does: 'makes bash complete krontab' },
  ],
  exits: exits({ 0: 'success' }),
} as const satisfies Command
