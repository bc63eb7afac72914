import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Binaries, binaries } from './binaries.ts'
import { type Child, freePort, start } from './child.ts'
import { until } from './until.ts'

/** A real control plane on loopback: etcd, API server, controller manager, and kwok in place of kubelets. */
export interface ControlPlane {
  readonly directory: string
  readonly binaries: Binaries
  readonly server: string
  readonly certificate: string
  readonly kubeconfig: string
  /** A kubeconfig for another token or another address. */
  kubeconfigFor(name: string, options: { readonly token?: string; readonly server?: string }): string
  stopApiServer(): Promise<void>
  startApiServer(): Promise<void>
  stop(): Promise<void>
}

export interface ControlPlaneOptions {
  /** Which controllers run; the Jobs' and the garbage collector's among them by default. */
  readonly controllers?: readonly string[]
  /** Whether every request is noted in `audit.log`, with the client that made it. */
  readonly audit?: boolean
}

const CONTROLLERS = [
  'cronjob-controller',
  'garbage-collector-controller',
  'job-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'ttl-after-finished-controller',
]

export async function startControlPlane(
  say: (line: string) => void,
  { controllers = CONTROLLERS, audit = false }: ControlPlaneOptions = {},
): Promise<ControlPlane> {
  const programs = await binaries(say)
  const directory = mkdtempSync(join(tmpdir(), 'kron-cluster-'))
  const inside = (name: string): string => join(directory, name)
  const [etcdPort, peerPort, apiPort, kwokPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])
  const server = `https://127.0.0.1:${apiPort}`
  const certificate = inside('certificates/apiserver.crt')
  const token = randomBytes(16).toString('hex')
  mkdirSync(inside('certificates'))
  writeFileSync(inside('tokens.csv'), `${token},admin,admin,system:masters\n`)
  writeServiceAccountKey(inside('service-accounts.key'))
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata' }],
  }
  writeFileSync(inside('audit.json'), JSON.stringify(policy))

  const kubeconfigFor: ControlPlane['kubeconfigFor'] = (name, other) => {
    const path = inside(`${name}.kubeconfig`)
    const cluster = { server: other.server ?? server, 'certificate-authority': certificate }
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster }],
      users: [{ name: 'test', user: { token: other.token ?? token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      'current-context': 'test',
    }
    writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
    return path
  }
  const kubeconfig = kubeconfigFor('admin', {})

  const running: Child[] = []
  const launch = (file: string, args: string[]): Child => {
    const child = start(file, args, inside(`${file.split('/').at(-1)}.log`))
    running.push(child)
    return child
  }

  say('starting etcd')
  launch(programs.etcd, [
    `--data-dir=${inside('etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
    `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
    '--unsafe-no-fsync',
  ])
  await until('etcd is healthy', async () => (await fetch(`http://127.0.0.1:${etcdPort}/health`)).ok)

  let apiServer: Child | undefined
  const kubectl = (...args: string[]): Promise<number | null> =>
    start(programs.kubectl, [`--kubeconfig=${kubeconfig}`, ...args], inside('kubectl.log')).exited
  const startApiServer = async (): Promise<void> => {
    apiServer = start(
      programs['kube-apiserver'],
      [
        `--etcd-servers=http://127.0.0.1:${etcdPort}`,
        `--secure-port=${apiPort}`,
        '--bind-address=127.0.0.1',
        '--advertise-address=127.0.0.1',
        `--cert-dir=${inside('certificates')}`,
        `--token-auth-file=${inside('tokens.csv')}`,
        '--authorization-mode=RBAC',
        '--service-cluster-ip-range=10.0.0.0/24',
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${inside('service-accounts.key')}`,
        `--service-account-signing-key-file=${inside('service-accounts.key')}`,
        '--disable-admission-plugins=ServiceAccount',
        '--endpoint-reconciler-type=none',
        ...(audit
          ? [
              `--audit-policy-file=${inside('audit.json')}`,
              `--audit-log-path=${inside('audit.log')}`,
              '--audit-log-maxsize=10000',
            ]
          : []),
      ],
      inside('kube-apiserver.log'),
    )
    await until('the API server is ready', async () => (await kubectl('get', '--raw=/readyz')) === 0, {
      within: 120_000,
      every: 300,
    })
  }
  say('starting kube-apiserver')
  await startApiServer()
  say('starting kube-controller-manager and kwok')
  launch(programs['kube-controller-manager'], [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${controllers.join(',')}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--kube-api-qps=500',
    '--kube-api-burst=500',
    '--concurrent-job-syncs=20',
  ])
  launch(programs.kwok, [
    `--kubeconfig=${kubeconfig}`,
    `--config=${join(import.meta.dirname, 'kwok.yaml')}`,
    '--manage-all-nodes=true',
    '--cidr=10.1.0.0/16',
    '--node-ip=127.0.0.1',
    `--server-address=127.0.0.1:${kwokPort}`,
  ])
  const node = inside('node.json')
  const labels = { 'kubernetes.io/hostname': 'kwok' }
  writeFileSync(node, JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'kwok', labels } }))
  await until('the node is there', async () => (await kubectl('apply', '-f', node)) === 0)

  return {
    directory,
    binaries: programs,
    server,
    certificate,
    kubeconfig,
    kubeconfigFor,
    startApiServer,
    stopApiServer: async () => apiServer?.kill('SIGKILL'),
    stop: async () => {
      for (const each of [...running, ...(apiServer ? [apiServer] : [])]) void each.kill('SIGKILL')
      await Promise.all([...running, ...(apiServer ? [apiServer] : [])].map(each => each.exited))
      if (process.env['KRON_KEEP_CLUSTER'] === undefined) rmSync(directory, { recursive: true, force: true })
      else say(`kept ${directory}`)
    },
  }
}

function writeServiceAccountKey(path: string): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(path, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 })
}
