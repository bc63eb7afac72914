import { type Command, exits, flag, list, type Options, SHELLS, text } from '@kron/cli'

const CLUSTER = {
  kubeconfig: text('FILE', 'the kubeconfig to use', { completes: 'file' }),
  context: text('NAME', 'a context of the kubeconfig'),
  namespace: text('NAME', 'the namespace', { short: 'n', otherwise: "the context's" }),
  as: text('USER', 'act as this user, as kubectl --as does'),
} as const satisfies Options

const FILE = {
  filename: list(
    'FILE',
    'read manifests from a file, a directory, or - for standard input; no cluster is needed then',
    { short: 'f', completes: 'file' },
  ),
} as const satisfies Options

const FORMAT = {
  format: text('FORMAT', 'how to print; -o is the same with more formats', {
    choices: ['text', 'json'],
    otherwise: 'text',
  }),
  output: text('FORMAT', 'print for programs instead of people', {
    short: 'o',
    choices: ['json', 'yaml', 'name'],
  }),
} as const satisfies Options
const OUTPUT = { output: FORMAT.output } as const satisfies Options
const SALT = {
  salt: text('TEXT', "the operator's --salt, for KronJobs without one of their own", {
    otherwise: "none, or the status' in a cluster",
  }),
} as const satisfies Options
const AT = {
  at: text('TIME', 'the time to start from, RFC 3339', { otherwise: 'now' }),
} as const satisfies Options
const KRON_JOB = {
  name: 'KRONJOB',
  summary: 'a KronJob, as namespace/name or name',
  optional: true,
  completes: 'job',
} as const

export const EXPLAIN_OPTIONS = {
  ...FILE,
  period: text('TIME', 'the nominal time of the period', { otherwise: 'the next one' }),
  ...AT,
  ...SALT,
  ...FORMAT,
  ...CLUSTER,
} as const satisfies Options

export const NEXT_OPTIONS = {
  ...FILE,
  count: text('N', 'how many', { short: 'c', otherwise: '5' }),
  ...AT,
  ...SALT,
  ...FORMAT,
  ...CLUSTER,
} as const satisfies Options

export const FORECAST_OPTIONS = {
  ...FILE,
  ...AT,
  for: text('DURATION', 'how far to look', { otherwise: '24h' }),
  bucket: text('DURATION', 'how much time a row stands for', { otherwise: '1h' }),
  'all-namespaces': flag('the KronJobs of all namespaces', { short: 'A' }),
  ...SALT,
  ...FORMAT,
  ...CLUSTER,
} as const satisfies Options

export const BALANCE_OPTIONS = {
  ...FILE,
  at: { ...AT.at, otherwise: 'the start of this day in UTC' },
  for: text('DURATION', 'how far to look', { otherwise: '168h' }),
  bucket: text('DURATION', 'how much time a bucket stands for', { otherwise: '1m' }),
  write: flag('put the salts into the files; everything else in them stays as it is'),
  namespace: CLUSTER.namespace,
  ...SALT,
  ...FORMAT,
} as const satisfies Options

export const VALIDATE_OPTIONS = { ...FILE, namespace: CLUSTER.namespace } as const satisfies Options
export const CONVERT_OPTIONS = { ...FILE } as const satisfies Options

export const INSTALL_OPTIONS = {
  print: flag('print the manifests (required: kronctl never applies them itself)'),
  namespace: text('NAME', 'where the operator runs', { short: 'n', otherwise: 'kron-system' }),
  only: text('NAME', 'watch this namespace only, with a Role instead of a ClusterRole'),
  image: text('IMAGE', 'the image of the operator'),
} as const satisfies Options

export const SUSPEND_OPTIONS = { ...OUTPUT, ...CLUSTER } as const satisfies Options

export const TRIGGER_OPTIONS = {
  name: text('NAME', 'the name of the Job', { otherwise: 'made from the name and the time' }),
  'dry-run': flag('ask the API server whether it would work, and create nothing'),
  ...OUTPUT,
  ...CLUSTER,
} as const satisfies Options

const COMMANDS = [
  {
    name: 'explain',
    summary: 'why a period starts at its second, attempt by attempt',
    arguments: [KRON_JOB],
    options: EXPLAIN_OPTIONS,
    examples: [
      { line: 'kronctl explain shop/backup', does: 'the next period of a KronJob in the cluster' },
      {
        line: 'kronctl explain -f backup.yaml --period 2026-03-01T02:00:00Z',
        does: 'a period of a manifest, offline',
      },
    ],
  },
  { name: 'next', summary: 'when a KronJob starts next', arguments: [KRON_JOB], options: NEXT_OPTIONS },
  { name: 'forecast', summary: 'how the starts spread over time', options: FORECAST_OPTIONS },
  {
    name: 'balance',
    summary: 'choose salts that lower the peak of the load',
    options: BALANCE_OPTIONS,
    examples: [
      { line: 'kronctl balance -f deploy/', does: 'what other salts would do for the coming week' },
      { line: 'kronctl balance -f deploy/ --write', does: 'puts them into the manifests' },
    ],
  },
  { name: 'validate', summary: 'check manifests, unknown fields included', options: VALIDATE_OPTIONS },
  {
    name: 'convert',
    summary: 'turn CronJob manifests into KronJobs',
    options: CONVERT_OPTIONS,
    examples: [
      { line: 'kubectl get cronjob -A -o yaml | kronctl convert -f -', does: 'every CronJob of a cluster' },
      { line: 'kronctl convert -f deploy/ > kron.yaml', does: 'a directory; other objects are kept' },
    ],
  },
  {
    name: 'trigger',
    summary: 'start a Job of a KronJob by hand, beside its periods',
    arguments: [{ ...KRON_JOB, optional: false }],
    options: TRIGGER_OPTIONS,
    examples: [{ line: 'kronctl trigger shop/backup', does: 'one Job, now; the next period is unaffected' }],
  },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    arguments: [{ name: 'SHELL', summary: 'the shell', choices: SHELLS }],
    examples: [{ line: 'source <(kronctl completion bash)', does: 'for this session' }],
  },
  { name: 'install', summary: 'print the manifests that install the operator', options: INSTALL_OPTIONS },
  {
    name: 'suspend',
    summary: 'stop starting Jobs of a KronJob, until resume',
    arguments: [{ ...KRON_JOB, optional: false }],
    options: SUSPEND_OPTIONS,
  },
  {
    name: 'resume',
    summary: 'start Jobs of a suspended KronJob again',
    arguments: [{ ...KRON_JOB, optional: false }],
    options: SUSPEND_OPTIONS,
  },
] as const satisfies readonly Command[]

export type CommandName = (typeof COMMANDS)[number]['name']

export const KRONCTL: Command = {
  name: 'kronctl',
  summary: 'look at KronJobs, check them and explain them',
  details: ['Under the name kubectl-kron it is a plugin of kubectl: kubectl kron next shop/backup.'],
  commands: COMMANDS,
  exits: exits({
    0: 'all is well',
    1: 'a manifest is invalid or the cluster refused',
    2: 'the command line is wrong',
  }),
}
