import type { Agent } from 'node:http'
import { KubeConfig } from '@kubernetes/client-node'
import type { AccessCredentials, ClusterAccess, ConfigOptions } from './kubeconfig.ts'

const NO_CONFIGURATION = 'http://localhost:8080'

/** Any kubeconfig, read by Kubernetes' own library. */
export function libraryAccess({ kubeconfig, context }: ConfigOptions): ClusterAccess {
  const config = new KubeConfig()
  if (kubeconfig === undefined) config.loadFromDefault()
  else config.loadFromFile(kubeconfig)
  // Without any configuration, the library assumes an API server on this machine.
  if (config.getCurrentCluster()?.server === NO_CONFIGURATION)
    throw new Error('no cluster is configured: there is no --kubeconfig, KUBECONFIG or ~/.kube/config')
  if (context !== undefined) config.setCurrentContext(context)
  return accessOf(config)
}

function accessOf(config: KubeConfig): ClusterAccess {
  const cluster = config.getCurrentCluster()
  if (!cluster) throw new Error('the kubeconfig names no cluster for the current context')
  const isDirect = !cluster.proxyUrl && !cluster.server.startsWith('http:')
  return {
    server: cluster.server,
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    credentials: async (): Promise<AccessCredentials> => {
      const options: Parameters<KubeConfig['applyToHTTPSOptions']>[0] = {}
      await config.applyToHTTPSOptions(options)
      const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized } = options
      const headers: Record<string, string> = {}
      for (const [name, value] of Object.entries(options.headers ?? {})) headers[name] = String(value)
      if (options.auth) headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`
      return {
        tls: { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized },
        headers,
        ...(!isDirect && { agent: options.agent as Agent }),
      }
    },
  }
}
