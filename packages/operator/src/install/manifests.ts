import { stringify } from 'yaml'
import { CUSTOM_RESOURCE_DEFINITION } from '../manifest/crd.ts'
import { GROUP } from '../manifest/kronjob.ts'
import { alertGroups } from './alerts.ts'
import { LEASE_RULES, USER_ROLES, WORK_RULES } from './roles.ts'

export interface InstallOptions {
  /** The namespace in which the operator runs. */
  readonly namespace: string
  /** The only namespace that the operator watches. If absent, it watches all namespaces. */
  readonly only?: string | undefined
  readonly image: string
}

const RESOURCES = { requests: { cpu: '50m', memory: '160Mi' }, limits: { memory: '512Mi' } }

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly [field: string]: unknown
}

export const IMAGE = 'ghcr.io/kron-io/kron-operator:0.1.0'
const NAME = 'kron-operator'
const RBAC = 'rbac.authorization.k8s.io'
const LABELS = { 'app.kubernetes.io/name': NAME, 'app.kubernetes.io/part-of': 'kron' }

export const crd = (): Manifest => CUSTOM_RESOURCE_DEFINITION as unknown as Manifest

export const namespaceOf = ({ namespace }: InstallOptions): Manifest => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace, labels: { ...LABELS, 'pod-security.kubernetes.io/enforce': 'restricted' } },
})

export const serviceAccount = ({ namespace }: InstallOptions): Manifest => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: NAME, namespace, labels: LABELS },
})

/** A role and its binding to the operator's account. */
const granted = (
  kind: 'Role' | 'ClusterRole',
  metadata: Manifest['metadata'],
  rules: readonly object[],
  namespace: string,
): Manifest[] => [
  { apiVersion: `${RBAC}/v1`, kind, metadata, rules },
  {
    apiVersion: `${RBAC}/v1`,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: RBAC, kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
  },
]

/** The role for the cluster, or for the only watched namespace. */
export const workRoles = ({ namespace, only }: InstallOptions): Manifest[] =>
  only === undefined
    ? granted('ClusterRole', { name: NAME, labels: LABELS }, WORK_RULES, namespace)
    : granted('Role', { name: NAME, namespace: only, labels: LABELS }, WORK_RULES, namespace)

export const leaseRoles = ({ namespace }: InstallOptions): Manifest[] =>
  granted('Role', { name: `${NAME}-lease`, namespace, labels: LABELS }, LEASE_RULES, namespace)

export const userRoles = (): Manifest[] =>
  USER_ROLES.map(({ name, aggregate, verbs }) => ({
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: {
      name,
      labels: {
        ...LABELS,
        ...Object.fromEntries(aggregate.map(to => [`${RBAC}/aggregate-to-${to}`, 'true'])),
      },
    },
    rules: [{ apiGroups: [GROUP], resources: ['kronjobs'], verbs }],
  }))

export function deployment({ namespace, only, image }: InstallOptions): Manifest {
  const args = only === undefined ? [] : [`--namespace=${only}`]
  const probe = (path: string) => ({ httpGet: { path, port: 'http' }, periodSeconds: 10, timeoutSeconds: 3 })
  const own = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace, labels: LABELS },
    spec: {
      replicas: 2,
      selector: { matchLabels: { 'app.kubernetes.io/name': NAME } },
      template: {
        metadata: { labels: LABELS },
        spec: {
          serviceAccountName: NAME,
          terminationGracePeriodSeconds: 30,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [
            {
              name: 'operator',
              image,
              args,
              env: [own('POD_NAME', 'metadata.name'), own('POD_NAMESPACE', 'metadata.namespace')],
              ports: [{ name: 'http', containerPort: 8080 }],
              livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 10 },
              readinessProbe: probe('/readyz'),
              resources: RESOURCES,
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: { 'app.kubernetes.io/name': NAME } },
            },
          ],
        },
      },
    },
  }
}

export const service = ({ namespace }: InstallOptions): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: NAME, namespace, labels: LABELS },
  spec: {
    selector: { 'app.kubernetes.io/name': NAME },
    ports: [{ name: 'http', port: 8080, targetPort: 'http' }],
  },
})

export const serviceMonitor = ({ namespace }: InstallOptions): Manifest => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ServiceMonitor',
  metadata: { name: NAME, namespace, labels: LABELS },
  spec: {
    selector: { matchLabels: { 'app.kubernetes.io/name': NAME } },
    endpoints: [{ port: 'http', path: '/metrics', interval: '30s' }],
  },
})

export const prometheusRule = ({ namespace }: InstallOptions): Manifest => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: NAME, namespace, labels: LABELS },
  spec: alertGroups(),
})

/** All manifests that install the operator, in the order to apply them. */
export const installation = (options: InstallOptions): Manifest[] => [
  namespaceOf(options),
  crd(),
  serviceAccount(options),
  ...workRoles(options),
  ...leaseRoles(options),
  ...userRoles(),
  service(options),
  deployment(options),
]

export const yaml = (value: unknown): string =>
  stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })

export const printManifests = (manifests: readonly Manifest[]): string => manifests.map(yaml).join('---\n')
