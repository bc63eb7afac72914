import type { Command, Options } from '@kron/cli'

const CLUSTER = {
  kubeconfig: { kind: 'text', value: 'FILE', summary: 'the kubeconfig to use', completes: 'file' },
  context: { kind: 'text', value: 'NAME', summary: 'a context of the kubeconfig' },
  namespace: {
    kind: 'text',
    short: 'n',
    value: 'NAME',
    summary: 'the namespace',
    otherwise: "the context's",
  },
} as const satisfies Options

const FILE = {
  filename: {
    kind: 'list',
    short: 'f',
    value: 'FILE',
    summary: 'read the manifest from a file, or from - for standard input; no cluster is needed then',
    completes: 'file',
  },
} as const satisfies Options

const FORMAT = {
  format: {
    kind: 'text',
    value: 'FORMAT',
    choices: ['text', 'json'],
    summary: 'how to print',
    otherwise: 'text',
  },
} as const satisfies Options
const AT = {
  at: { kind: 'text', value: 'TIME', summary: 'the time to start from, RFC 3339', otherwise: 'now' },
} as const satisfies Options
const KRON_JOB = {
  name: 'KRONJOB',
  summary: 'a KronJob, as namespace/name or name',
  optional: true,
  completes: 'job',
} as const

export const EXPLAIN_OPTIONS = {
  ...FILE,
  period: {
    kind: 'text',
    value: 'TIME',
    summary: 'the nominal time of the period',
    otherwise: 'the next one',
  },
  ...AT,
  ...FORMAT,
  ...CLUSTER,
} as const satisfies Options

export const NEXT_OPTIONS = {
  ...FILE,
  count: { kind: 'text', short: 'c', value: 'N', summary: 'how many', otherwise: '5' },
  ...AT,
  ...FORMAT,
  ...CLUSTER,
} as const satisfies Options

export const FORECAST_OPTIONS = {
  ...FILE,
  ...AT,
  for: { kind: 'text', value: 'DURATION', summary: 'how far to look', otherwise: '24h' },
  bucket: { kind: 'text', value: 'DURATION', summary: 'how much time a row stands for', otherwise: '1h' },
  'all-namespaces': { kind: 'flag', short: 'A', summary: 'the KronJobs of all namespaces' },
  ...FORMAT,
  ...CLUSTER,
} as const satisfies Options

export const VALIDATE_OPTIONS = { ...FILE, namespace: CLUSTER.namespace } as const satisfies Options
export const CONVERT_OPTIONS = { ...FILE } as const satisfies Options

export const INSTALL_OPTIONS = {
  print: { kind: 'flag', summary: 'print the manifests; the only thing it does' },
  namespace: {
    kind: 'text',
    short: 'n',
    value: 'NAME',
    summary: 'where the operator runs',
    otherwise: 'kron-system',
  },
  only: {
    kind: 'text',
    value: 'NAME',
    summary: 'watch this namespace only, with a Role instead of a ClusterRole',
  },
  image: { kind: 'text', value: 'IMAGE', summary: 'the image of the operator' },
} as const satisfies Options

export const SUSPEND_OPTIONS = CLUSTER

export const KRONCTL: Command = {
  name: 'kronctl',
  summary: 'look at KronJobs, check them and explain them',
  commands: [
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
    { name: 'validate', summary: 'check manifests, unknown fields included', options: VALIDATE_OPTIONS },
    { name: 'convert', summary: 'turn CronJob manifests into KronJobs', options: CONVERT_OPTIONS },
    { name: 'install', summary: 'print what installs the operator', options: INSTALL_OPTIONS },
    {
      name: 'suspend',
      summary: 'start nothing more',
      arguments: [{ ...KRON_JOB, optional: false }],
      options: SUSPEND_OPTIONS,
    },
    {
      name: 'resume',
      summary: 'start again',
      arguments: [{ ...KRON_JOB, optional: false }],
      options: SUSPEND_OPTIONS,
    },
  ],
  exits: [
    { code: 0, when: 'all is well' },
    { code: 1, when: 'a manifest is invalid or the cluster refused' },
    { code: 2, when: 'the command line is wrong' },
  ],
}
