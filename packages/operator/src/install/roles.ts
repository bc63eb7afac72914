import { GROUP } from '../manifest/kronjob.ts'
import { FILES_NAME } from '../manifest/schedule-files.ts'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** The operator's permissions for KronJobs and Jobs in the watched namespaces. No secrets, no pods. */
export const WORK_RULES: readonly Rule[] = [
  { apiGroups: [GROUP], resources: ['kronjobs'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [GROUP], resources: ['kronjobs/status'], verbs: ['patch'] },
  // Needed to own Jobs if the API server checks owner references.
  { apiGroups: [GROUP], resources: ['kronjobs/finalizers'], verbs: ['update'] },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list', 'watch', 'create', 'delete'] },
  // The one ConfigMap with calendars and weights; asked for only if a KronJob names some.
  {
    apiGroups: [''],
    resources: ['configmaps'],
    verbs: ['get', 'list', 'watch'],
    resourceNames: [FILES_NAME],
  },
  { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
]

/** The lease is in the operator's own namespace, so this is always a Role. */
export const LEASE_RULES: readonly Rule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'update'],
    resourceNames: ['kron-operator'],
  },
]

/** Roles for people who view or edit KronJobs, aggregated into the usual cluster roles. */
export const USER_ROLES = [
  { name: 'kron-view', aggregate: ['view'], verbs: ['get', 'list', 'watch'] },
  {
    name: 'kron-edit',
    aggregate: ['edit', 'admin'],
    verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'],
  },
]
