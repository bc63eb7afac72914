import type { KubeConfig } from '@kubernetes/client-node'

export interface ConfigOptions {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
}

/** The kubeconfig as kubectl finds it: the file given, `KUBECONFIG`, `~/.kube/config`, or the pod's own account. */
export async function loadKubeConfig({ kubeconfig, context }: ConfigOptions = {}): Promise<KubeConfig> {
  // The library takes most of a second to load, which offline commands need not pay.
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
