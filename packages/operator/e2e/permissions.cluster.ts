import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../../../test/cluster/until.ts'
import { leaseRoles, type Manifest, serviceAccount, workRoles } from '../src/install/manifests.ts'
import { WORK_RULES } from '../src/install/roles.ts'
import { create, jobsOf, outcome, soon, template, when } from './support/kron-jobs.ts'
import { startReplica } from './support/replica.ts'
import type { World } from './support/world.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const PATHS: Readonly<Record<string, (namespace: string) => string>> = {
  ServiceAccount: namespace => `/api/v1/namespaces/${namespace}/serviceaccounts`,
  Role: namespace => `${RBAC}/namespaces/${namespace}/roles`,
  RoleBinding: namespace => `${RBAC}/namespaces/${namespace}/rolebindings`,
  ClusterRole: () => `${RBAC}/clusterroles`,
  ClusterRoleBinding: () => `${RBAC}/clusterrolebindings`,
}

/** A kubeconfig of the operator's own service account, with exactly the roles that are shipped. */
async function install(
  world: World,
  namespace: string,
  only: string | undefined,
  rules = WORK_RULES,
): Promise<string> {
  const options = { namespace, only, image: 'unused' }
  const [role, binding] = workRoles(options)
  const manifests: Manifest[] = [
    serviceAccount(options),
    { ...role!, rules },
    binding!,
    ...leaseRoles(options),
  ]
  for (const body of manifests) {
    await world.api.call('POST', PATHS[body.kind]!(body.metadata.namespace ?? namespace), { body })
  }
  const path = `${PATHS['ServiceAccount']!(namespace)}/kron-operator/token`
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  }
  const { status } = await world.api.call<{ status: { token: string } }>('POST', path, { body })
  return world.plane.kubeconfigFor(`account-${namespace}`, { token: status.token })
}

/** Runs, replaces and forgets Jobs, so that every permission is used. */
async function exercise(world: World, namespace: string): Promise<void> {
  const replaced = { namespace, name: 'replaced' }
  const finished = { namespace, name: 'finished' }
  const policy = { concurrency: 'replace' }
  await create(world, replaced, soon(replaced, { jobTemplate: template(world, 'runs'), policy }))
  await create(
    world,
    finished,
    soon(finished, { jobTemplate: template(world, 'succeeds'), history: { successful: 0 } }),
  )
  await outcome(world, finished, 'executed')
  await until('the finished Job is removed', async () => (await jobsOf(world, finished)).length === 0)
  const { status } = await outcome(world, replaced, 'executed')
  await when(world, replaced, 'is replaced', each => {
    return each.status?.lastJobRef !== undefined && each.status.lastJobRef.uid !== status!.lastJobRef!.uid
  })
}

const without = (resource: string, verb: string) =>
  WORK_RULES.map(rule => {
    return rule.resources.includes(resource)
      ? { ...rule, verbs: rule.verbs.filter(each => each !== verb) }
      : rule
  }).filter(rule => rule.verbs.length > 0)

export function namespacedPermissions(world: () => World): void {
  test('the operator works under exactly the shipped Role', async () => {
    const namespace = await world().namespace('role')
    const kubeconfig = await install(world(), namespace, namespace)
    const replica = await startReplica(world(), { name: 'role', namespace, kubeconfig })
    await exercise(world(), namespace)
    assert.doesNotMatch(replica.logged(), /forbidden/)
    await replica.kill('SIGTERM')
  })

  describe('a permission that is missing', { concurrency: false }, () => {
    const missing = [
      ['kronjobs', 'list'],
      ['kronjobs', 'watch'],
      ['kronjobs/status', 'patch'],
      ['jobs', 'list'],
      ['jobs', 'create'],
      ['events', 'create'],
    ] as const
    for (const [resource, verb] of missing) {
      test(`without the permission to ${verb} ${resource} it says so`, async () => {
        const namespace = await world().namespace(`no-${verb}-${resource.replace('/', '-')}`)
        const kubeconfig = await install(world(), namespace, namespace, without(resource, verb))
        const replica = await startReplica(world(), { name: namespace, namespace, kubeconfig })
        const named = { namespace, name: 'idle' }
        await create(world(), named, { schedule: '0 0 1 1 *', jobTemplate: template(world(), 'succeeds') })
        const [plain] = resource.split('/')
        const said = new RegExp(
          `a permission is missing: .*cannot ${verb} resource \\\\"${plain}[^"]*\\\\".*kronctl install --print`,
        )
        await until(`the missing permission is named`, () => said.test(replica.logged()), { within: 90_000 })
        if (verb === 'list') {
          const answer = await fetch(`http://127.0.0.1:${replica.port}/readyz`)
          assert.equal(answer.status, 503)
          assert.match(await answer.text(), /a permission is missing/)
        }
        await replica.kill('SIGTERM')
      })
    }
  })
}

/** A cluster-wide operator works on every namespace, so it has the cluster to itself. */
export function clusterPermissions(world: () => World): void {
  test('the operator works under exactly the shipped ClusterRole', async () => {
    const home = await world().namespace('kron-system')
    const kubeconfig = await install(world(), home, undefined)
    const replica = await startReplica(world(), { name: 'cluster-role', leaseNamespace: home, kubeconfig })
    await exercise(world(), await world().namespace('anywhere'))
    assert.doesNotMatch(replica.logged(), /forbidden/)
    const metrics = await (await fetch(`http://127.0.0.1:${replica.port}/metrics`)).text()
    assert.match(metrics, /^kron_jobs_created_total [1-9]/m)
    assert.match(metrics, /^leader_election_master_status\{name="kron-operator"\} 1/m)
    await replica.kill('SIGTERM')
  })
}
