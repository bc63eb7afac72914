import { type Command, exits, list, type Options, text } from '@kron/cli'

export const OPERATOR_OPTIONS = {
  kubeconfig: text('FILE', 'the kubeconfig; inside a pod its own account', { completes: 'file' }),
  context: text('NAME', 'a context of the kubeconfig'),
  namespace: list('NAME', 'watch this namespace only; may be given several times', {
    otherwise: 'all of them',
  }),
  salt: text(
    'TEXT',
    'the salt of KronJobs without one, so that the same manifests start at other seconds elsewhere',
    { otherwise: 'none' },
  ),
  'lease-namespace': text('NAME', 'where the lease lies', { otherwise: 'POD_NAMESPACE or kron-system' }),
  'lease-name': text('NAME', 'the lease replicas compete for', { otherwise: 'kron-operator' }),
  'lease-duration': text(
    'DURATION',
    'how long a lease that is not renewed is respected; a killed leader costs about 2 s more',
    { otherwise: '3s' },
  ),
  'watch-timeout': text('DURATION', 'silence after which a watch is taken for dead', { otherwise: '2m30s' }),
  identity: text('NAME', 'the name of this replica in the lease', {
    otherwise: 'POD_NAME, or the host name and a random text',
  }),
  port: text('PORT', 'where /metrics, /healthz and /readyz are served', { otherwise: '8080' }),
  'log-level': text('LEVEL', 'the least that is logged', {
    choices: ['debug', 'info', 'warn', 'error'],
    otherwise: 'info',
  }),
} as const satisfies Options

export const OPERATOR_COMMAND: Command = {
  name: 'kron-operator',
  summary: 'start a Job for every period of every KronJob',
  options: OPERATOR_OPTIONS,
  exits: exits({ 0: 'it was asked to stop', 1: 'it could not run', 2: 'the command line is wrong' }),
}
