import { GROUP, VERSION } from '../manifest/kronjob.ts'

/** The API path of a kind. Without a namespace, the path covers all namespaces. */
const under =
  (prefix: string, plural: string) =>
  (namespace?: string, name?: string): string =>
    `${prefix}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}${name === undefined ? '' : `/${name}`}`

export const kronJobsPath = under(`/apis/${GROUP}/${VERSION}`, 'kronjobs')
export const jobsPath = under('/apis/batch/v1', 'jobs')
export const configMapsPath = under('/api/v1', 'configmaps')
export const leasesPath = under('/apis/coordination.k8s.io/v1', 'leases')
export const eventsPath = under('/apis/events.k8s.io/v1', 'events')
export const statusPath = (namespace: string, name: string): string =>
  `${kronJobsPath(namespace, name)}/status`
