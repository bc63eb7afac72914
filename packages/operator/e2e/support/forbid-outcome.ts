import { until } from '../../../../verify/cluster/until.ts'
import { ApiError } from '../../src/cluster/api-error.ts'
import { kronJobsPath, statusPath } from '../../src/cluster/paths.ts'
import { create, template } from './kron-jobs.ts'
import type { World } from './world.ts'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'

/** Makes the API server refuse every status that reports an executed period. The returned function undoes this. */
export async function forbidOutcome(world: World, namespace: string): Promise<() => Promise<void>> {
  const name = `no-outcome-${namespace}`
  const rules = [
    {
      apiGroups: ['kron.io'],
      apiVersions: ['v1alpha1'],
      operations: ['UPDATE'],
      resources: ['kronjobs/status'],
    },
  ]
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        resourceRules: rules,
      },
      validations: [
        { expression: "!has(object.status.lastOutcome) || object.status.lastOutcome != 'executed'" },
      ],
    },
  }
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  }
  await world.api.call('POST', `${ADMISSION}/validatingadmissionpolicies`, { body: policy })
  await world.api.call('POST', `${ADMISSION}/validatingadmissionpolicybindings`, { body: binding })
  const probe = { namespace, name: 'probe' }
  await create(world, probe, { schedule: '0 0 1 1 *', jobTemplate: template(world, 'succeeds') })
  const refused = async (): Promise<boolean> => {
    const body = { status: { lastOutcome: 'executed' } }
    try {
      await world.api.call('PATCH', statusPath(namespace, probe.name), { body, query: { dryRun: 'All' } })
      return false
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) return true
      throw error
    }
  }
  await until('the policy is in force', refused)
  return async () => {
    await world.api.call('DELETE', `${ADMISSION}/validatingadmissionpolicybindings/${name}`)
    await world.api.call('DELETE', `${ADMISSION}/validatingadmissionpolicies/${name}`)
    await until('the policy is gone', async () => !(await refused()))
    await world.api.call('DELETE', kronJobsPath(namespace, probe.name))
  }
}
