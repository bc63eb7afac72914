import { stringify } from 'yaml'
import { dashboard } from './dashboard.ts'
import {
  crd,
  deployment,
  IMAGE,
  type InstallOptions,
  leaseRoles,
  type Manifest,
  namespaceOf,
  RESOURCES,
  service,
  serviceAccount,
  serviceMonitor,
  userRoles,
  workRoles,
} from './manifests.ts'

const GENERATED = '# Made by scripts/manifests.ts from packages/operator/src/install; edit there.\n'

const yaml = (value: unknown): string => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })
const file = (...manifests: Manifest[]): string => GENERATED + manifests.map(yaml).join('---\n')

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
    'kustomize/monitoring/kustomization.yaml': kustomization(['../base', 'service-monitor.yaml']),
  }
}

/** What the chart fills in: a text that occurs nowhere else, and the template it becomes. */
const VALUES = {
  '@namespace@': '{{ .Release.Namespace }}',
  '@only@': '{{ .Values.watchNamespace }}',
  '@image@': '{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}',
  '@replicas@': '{{ .Values.replicas }}',
  '@args@': '[{{ with .Values.watchNamespace }}--namespace={{ . }}{{ end }}]',
  '@resources@': '{{- toYaml .Values.resources | nindent 12 }}',
}

function templated(...manifests: Manifest[]): string {
  let text = manifests.map(yaml).join('---\n')
  for (const [mark, value] of Object.entries(VALUES)) text = text.replaceAll(`"${mark}"`, value)
  return text
}

const when = (condition: string, text: string, otherwise?: string): string =>
  `{{- if ${condition} }}\n${text}${otherwise === undefined ? '' : `{{- else }}\n${otherwise}`}{{- end }}\n`

/** The Helm chart, by path under packaging/kubernetes. */
function chart(): Record<string, string> {
  const all: InstallOptions = { namespace: '@namespace@', image: '@image@' }
  const one: InstallOptions = { ...all, only: '@only@' }
  const settings = { replicas: '@replicas@', args: '@args@', resources: '@resources@' }
  const [repository, version] = IMAGE.split(':') as [string, string]
  const values = {
    replicas: 2,
    image: { repository, tag: '' },
    watchNamespace: '',
    userRoles: true,
    serviceMonitor: { enabled: false },
    resources: RESOURCES,
  }
  const head = { apiVersion: 'v2', name: 'kron-operator', type: 'application', version, appVersion: version }
  const description = 'Deterministic windowed scheduling for Kubernetes: the KronJob controller'
  const files = {
    'Chart.yaml': yaml({ ...head, description, kubeVersion: '>=1.29.0-0' }),
    'values.yaml': yaml(values),
    'crds/kronjobs.yaml': yaml(crd()),
    'templates/service-account.yaml': templated(serviceAccount(all)),
    'templates/roles.yaml': [
      when('.Values.watchNamespace', templated(...workRoles(one)), templated(...workRoles(all))),
      `---\n${templated(...leaseRoles(all))}`,
      when('.Values.userRoles', `---\n${templated(...userRoles())}`),
    ].join(''),
    'templates/service.yaml': templated(service(all)),
    'templates/deployment.yaml': templated(deployment(all, settings)),
    'templates/service-monitor.yaml': when('.Values.serviceMonitor.enabled', templated(serviceMonitor(all))),
  }
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`helm/kron-operator/${path}`, GENERATED + text]),
  )
}

/** Every generated file by its path under packaging/kubernetes. */
export const packagingFiles = (): Record<string, string> => ({
  ...kustomize(),
  ...chart(),
  'grafana/kron-operator.json': `${JSON.stringify(dashboard(), null, 2)}\n`,
})
