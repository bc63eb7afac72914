import type { KubeConfig } from '@kubernetes/client-node'

export interface ConfigOptions {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
}

/** Finds the kubeconfig like kubectl: the given file, `KUBECONFIG`, `~/.kube/config`, or the pod's service account. */
export async function loadKubeConfig({ kubeconfig, context }: ConfigOptions = {}): Promise<KubeConfig> {
  // Loading the library takes most of a second, so it is imported only when needed.
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  if (kubeconfig === undefined) config.loadFromDefault()
  else config.loadFromFile(kubeconfig)
  if (context !== undefined) config.setCurrentContext(context)
  return config
}

/** The namespace of the current context. */
export const namespaceOf = (config: KubeConfig): string =>
  config.getContextObject(config.getCurrentContext())?.namespace ?? 'default'
