import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { ControlPlane } from '../../../../verify/cluster/control-plane.ts'

interface KubeconfigFile {
  readonly 'current-context': string
  readonly contexts: { name: string; context: { cluster: string; user: string } }[]
  readonly clusters: { name: string; cluster: { server: string } }[]
  readonly users: { name: string; user: unknown }[]
}

/** An existing cluster (kind, k3d). Tests may use it, but not break it. */
export function existingCluster(kubeconfig: string): ControlPlane {
  const directory = mkdtempSync(join(tmpdir(), 'kron-cluster-'))
  const config = parse(readFileSync(kubeconfig, 'utf8')) as KubeconfigFile
  const current = config.contexts.find(each => each.name === config['current-context'])!.context
  const { server } = config.clusters.find(each => each.name === current.cluster)!.cluster
  const refuse = (): Promise<never> =>
    Promise.reject(new Error('the API server of an existing cluster is not ours'))
  return {
    directory,
    binaries: { kubectl: 'kubectl', etcd: '', kwok: '', 'kube-apiserver': '', 'kube-controller-manager': '' },
    server,
    certificate: '',
    kubeconfig,
    kubeconfigFor: (name, other) => {
      const path = join(directory, `${name}.kubeconfig`)
      const clusters = config.clusters.map(each => ({
        ...each,
        cluster: { ...each.cluster, ...(other.server && { server: other.server }) },
      }))
      const users = config.users.map(each => ({
        ...each,
        user: other.token ? { token: other.token } : each.user,
      }))
      writeFileSync(path, stringify({ ...config, clusters, users }), { mode: 0o600 })
      return path
    },
    startApiServer: refuse,
    stopApiServer: refuse,
    stop: async () => rmSync(directory, { recursive: true, force: true }),
  }
}
