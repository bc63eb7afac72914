import type { Agent } from 'node:http'
import { ordinaryAccess } from './ordinary-access.ts'

export interface ConfigOptions {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
}

/** The address of a cluster, and the credentials to use it. */
export interface ClusterAccess {
  readonly server: string
  /** The namespace of the context. */
  readonly namespace: string
  credentials(): Promise<AccessCredentials>
}

export interface AccessCredentials {
  /** The TLS options, such as `ca`, `cert` and `key`. */
  readonly tls: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** An agent that must be used, for a proxy or plain HTTP. */
  readonly agent?: Agent
}

/** Finds the kubeconfig like kubectl: the given file, `KUBECONFIG`, `~/.kube/config`, or the pod's service account. */
export async function loadKubeConfig(options: ConfigOptions = {}): Promise<ClusterAccess> {
  const ordinary = await ordinaryAccess(options)
  if (ordinary) return ordinary
  // The library takes seconds and 64 MB, so only unusual credentials use it: plugins, identity providers and proxies.
  const { libraryAccess } = await import('./library-access.ts')
  return libraryAccess(options)
}
