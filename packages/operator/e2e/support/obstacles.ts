import { until } from '../../../../verify/cluster/until.ts'
import { ApiError } from '../../src/cluster/api-error.ts'
import { jobsPath } from '../../src/cluster/paths.ts'
import { template } from './kron-jobs.ts'
import type { World } from './world.ts'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'

/** Whether the API server would refuse a Job in the namespace now. */
async function isRefused(world: World, namespace: string): Promise<boolean> {
  const body = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'probe' },
    ...template(world, 'succeeds'),
  }
  try {
    await world.api.call('POST', jobsPath(namespace), { body, query: { dryRun: 'All' } })
    return false
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return true
    throw error
  }
}

/** Limits the number of Jobs in the namespace. */
export async function setQuota(world: World, namespace: string, jobs: number): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`
  const spec = { hard: { 'count/jobs.batch': String(jobs) } }
  const body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'jobs' }, spec }
  if (jobs === 0) await world.api.call('POST', path, { body })
  else await world.api.call('PATCH', `${path}/jobs`, { body: { spec } })
  // The quota controller does not run in the tests' control plane.
  const status = { ...spec, used: { 'count/jobs.batch': '0' } }
  await world.api.call('PATCH', `${path}/jobs/status`, { body: { status } })
  await until('the quota is in force', async () => (await isRefused(world, namespace)) === (jobs === 0))
}

/** Denies all Jobs of a namespace by policy. The returned function allows them again. */
export async function denyJobs(world: World, namespace: string): Promise<() => Promise<void>> {
  const name = `no-jobs-${namespace}`
  const resourceRules = [
    { apiGroups: ['batch'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['jobs'] },
  ]
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } }
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { namespaceSelector, resourceRules }, validations: [{ expression: 'false' }] },
  }
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  }
  await world.api.call('POST', `${ADMISSION}/validatingadmissionpolicies`, { body: policy })
  await world.api.call('POST', `${ADMISSION}/validatingadmissionpolicybindings`, { body: binding })
  await until('the policy is in force', () => isRefused(world, namespace))
  return async () => {
    await world.api.call('DELETE', `${ADMISSION}/validatingadmissionpolicybindings/${name}`)
    await world.api.call('DELETE', `${ADMISSION}/validatingadmissionpolicies/${name}`)
    await until('the policy is gone', async () => !(await isRefused(world, namespace)))
  }
}

/** Sends every Job of a namespace to an unreachable webhook. The returned function removes the webhook. */
export async function breakWebhook(world: World, namespace: string): Promise<() => Promise<void>> {
  const name = `unreachable-${namespace}`
  const rule = { apiGroups: ['batch'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['jobs'] }
  const webhook = {
    name: 'unreachable.kron-test.example',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Fail',
    timeoutSeconds: 1,
    clientConfig: { url: 'https://127.0.0.1:1/' },
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    rules: [rule],
  }
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [webhook],
  }
  const path = `${ADMISSION}/validatingwebhookconfigurations`
  await world.api.call('POST', path, { body })
  const probe = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'probe' },
    ...template(world, 'succeeds'),
  }
  await until('the webhook is asked', () =>
    world.api.call('POST', jobsPath(namespace), { body: probe, query: { dryRun: 'All' } }).then(
      () => false,
      error => error instanceof ApiError && error.status === 500,
    ),
  )
  return () => world.api.call('DELETE', `${path}/${name}`)
}
