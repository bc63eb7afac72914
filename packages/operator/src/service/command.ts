import type { Command, Options } from '@kron/cli'

export const OPERATOR_OPTIONS = {
  kubeconfig: {
    kind: 'text',
    value: 'FILE',
    summary: 'the kubeconfig; inside a pod its own account',
    completes: 'file',
  },
  context: { kind: 'text', value: 'NAME', summary: 'a context of the kubeconfig' },
  namespace: {
    kind: 'list',
    value: 'NAME',
    summary: 'watch this namespace only; may be given several times',
    otherwise: 'all of them',
  },
  salt: {
    kind: 'text',
    value: 'TEXT',
    summary: 'the salt of KronJobs without one, so that the same manifests start at other seconds elsewhere',
    otherwise: 'none',
  },
  'lease-namespace': {
    kind: 'text',
    value: 'NAME',
    summary: 'where the lease lies',
    otherwise: 'POD_NAMESPACE or kron-system',
  },
  'lease-name': {
    kind: 'text',
    value: 'NAME',
    summary: 'the lease replicas compete for',
    otherwise: 'kron-operator',
  },
  'lease-duration': {
    kind: 'text',
    value: 'DURATION',
    summary: 'how long a lease that is not renewed is respected; a killed leader costs about 2 s more',
    otherwise: '3s',
  },
  'watch-timeout': {
    kind: 'text',
    value: 'DURATION',
    summary: 'silence after which a watch is taken for dead',
    otherwise: '2m30s',
  },
  identity: {
    kind: 'text',
    value: 'NAME',
    summary: 'the name of this replica in the lease',
    otherwise: 'POD_NAME, or the host name and a random text',
  },
  port: {
    kind: 'text',
    value: 'PORT',
    summary: 'where /metrics, /healthz and /readyz are served',
    otherwise: '8080',
  },
  'log-level': {
    kind: 'text',
    value: 'LEVEL',
    summary: 'the least that is logged',
    choices: ['debug', 'info', 'warn', 'error'],
    otherwise: 'info',
  },
} as const satisfies Options

export const OPERATOR_COMMAND: Command = {
  name: 'kron-operator',
  summary: 'start a Job for every period of every KronJob',
  options: OPERATOR_OPTIONS,
  exits: [
    { code: 0, when: 'it was asked to stop' },
    { code: 1, when: 'it could not run' },
    { code: 2, when: 'the command line is wrong' },
  ],
}
