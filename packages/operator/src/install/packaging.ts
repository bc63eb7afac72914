import { alertGroups } from './alerts.ts'
import { dashboard } from './dashboard.ts'
import {
  crd,
  deployment,
  IMAGE,
  type InstallOptions,
  leaseRoles,
  type Manifest,
  namespaceOf,
  printManifests,
  prometheusRule,
  service,
  serviceAccount,
  serviceMonitor,
  userRoles,
  workRoles,
  yaml,
} from './manifests.ts'

const GENERATED = '# Made by scripts/manifests.ts from packages/operator/src/install; edit there.\n'

const file = (...manifests: Manifest[]): string => GENERATED + printManifests(manifests)

const options: InstallOptions = { namespace: 'kron-system', image: IMAGE }

/** Plain manifests for `kubectl apply -k`, by path under packaging/kubernetes. */
function kustomize(): Record<string, string> {
  const base = {
    'namespace.yaml': file(namespaceOf(options)),
    'crd.yaml': file(crd()),
    'service-account.yaml': file(serviceAccount(options)),
    'roles.yaml': file(...workRoles(options), ...leaseRoles(options), ...userRoles()),
    'service.yaml': file(service(options)),
    'deployment.yaml': file(deployment(options)),
  }
  const kustomization = (resources: readonly string[]): string =>
    GENERATED + yaml({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources })
  return {
    ...Object.fromEntries(Object.entries(base).map(([name, text]) => [`kustomize/base/${name}`, text])),
    'kustomize/base/kustomization.yaml': kustomization(Object.keys(base)),
    'kustomize/monitoring/service-monitor.yaml': file(serviceMonitor(options)),
    'kustomize/monitoring/prometheus-rule.yaml': file(prometheusRule(options)),
    'kustomize/monitoring/kustomization.yaml': kustomization([
      '../base',
      'service-monitor.yaml',
      'prometheus-rule.yaml',
    ]),
  }
}

/** The parts of the Helm chart that are generated from the code. Its templates and values are maintained by hand. */
const chartFiles = (): Record<string, string> => ({
  'helm/kron-operator/files/crd.yaml': file(crd()),
  'helm/kron-operator/files/alerts.yaml': GENERATED + yaml(alertGroups()),
  'helm/kron-operator/files/dashboard.json': printDashboard(),
})

const printDashboard = (): string => `${JSON.stringify(dashboard(), null, 2)}\n`

/** Every generated file, by its path under packaging/kubernetes. */
export const packagingFiles = (): Record<string, string> => ({
  ...kustomize(),
  ...chartFiles(),
  'grafana/kron-operator.json': printDashboard(),
})
