import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../../../verify/cluster/until.ts'
import { leaseRoles, type Manifest, serviceAccount, workRoles } from '../src/install/manifests.ts'
import { LEASE_RULES, WORK_RULES } from '../src/install/roles.ts'
import { writeFiles } from './files.cluster.ts'
import { create, jobsOf, outcome, soon, template, when } from './support/kron-jobs.ts'
import { type Replica, startReplica } from './support/replica.ts'
import type { World } from './support/world.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const PATHS: Readonly<Record<string, (namespace: string) => string>> = {
  ServiceAccount: namespace => `/api/v1/namespaces/${namespace}/serviceaccounts`,
  Role: namespace => `${RBAC}/namespaces/${namespace}/roles`,
  RoleBinding: namespace => `${RBAC}/namespaces/${namespace}/rolebindings`,
  ClusterRole: () => `${RBAC}/clusterroles`,
  ClusterRoleBinding: () => `${RBAC}/clusterrolebindings`,
}

/** A kubeconfig for the operator's own service account, with exactly the shipped roles. */
async function install(
  world: World,
  namespace: string,
  only: string | undefined,
  rules: { readonly work?: typeof WORK_RULES; readonly lease?: typeof LEASE_RULES } = {},
): Promise<string> {
  const options = { namespace, only, image: 'unused' }
  const [role, binding] = workRoles(options)
  const [leaseRole, leaseBinding] = leaseRoles(options)
  const manifests: Manifest[] = [
    serviceAccount(options),
    { ...role!, rules: rules.work ?? WORK_RULES },
    binding!,
    { ...leaseRole!, rules: rules.lease ?? LEASE_RULES },
    leaseBinding!,
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

/** Creates, replaces and deletes Jobs, so that every permission is used. */
async function exercise(world: World, namespace: string): Promise<void> {
  const replaced = { namespace, name: 'replaced' }
  const finished = { namespace, name: 'finished' }
  const withFiles = { namespace, name: 'with-files' }
  const policy = { concurrency: 'replace' }
  await writeFiles(world, namespace, { 'holidays.dates': '2020-12-25\n' })
  const constraints = { avoid: [{ cal: 'holidays' }] }
  await create(world, withFiles, { schedule: '0 0 1 1 *', constraints, jobTemplate: template(world, 'runs') })
  await when(world, withFiles, 'has its calendar', each => each.status?.calendars)
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

const without = (rules: typeof WORK_RULES, resource: string, verb: string): typeof WORK_RULES =>
  rules
    .map(rule => {
      return rule.resources.includes(resource)
        ? { ...rule, verbs: rule.verbs.filter(each => each !== verb) }
        : rule
    })
    .filter(rule => rule.verbs.length > 0)

/** Waits until the log names the missing permission and the role to compare. */
async function namesMissing(replica: Replica, resource: string, verb: string): Promise<void> {
  const [plain] = resource.split('/')
  const said = new RegExp(
    `a permission is missing: .*cannot ${verb} resource \\\\"${plain}[^"]*\\\\".*kronctl install --print`,
  )
  await until(`the permission to ${verb} ${resource} is named`, () => said.test(replica.logged()), {
    within: 180_000,
  })
  if (verb !== 'list') return
  const answer = await fetch(`http://127.0.0.1:${replica.port}/readyz`)
  assert.equal(answer.status, 503)
  assert.match(await answer.text(), /a permission is missing/)
}

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
      ['jobs', 'watch'],
      ['jobs', 'create'],
      ['jobs', 'delete'],
      ['events', 'create'],
      ['leases', 'create'],
      ['leases', 'get'],
      ['leases', 'update'],
    ] as const
    for (const [resource, verb] of missing) {
      test(`without the permission to ${verb} ${resource} it says so`, async () => {
        const namespace = await world().namespace(`no-${verb}-${resource.replace('/', '-')}`)
        const rules = {
          work: without(WORK_RULES, resource, verb),
          lease: without(LEASE_RULES, resource, verb),
        }
        const kubeconfig = await install(world(), namespace, namespace, rules)
        const replica = await startReplica(world(), { name: namespace, namespace, kubeconfig })
        const named = { namespace, name: 'short' }
        const history = { successful: 0 }
        const spec =
          verb === 'delete'
            ? soon(named, { jobTemplate: template(world(), 'succeeds'), history })
            : { schedule: '0 0 1 1 *', jobTemplate: template(world(), 'succeeds') }
        await create(world(), named, spec)
        await namesMissing(replica, resource, verb)
        await replica.kill('SIGTERM')
      })
    }
  })
}

/** A cluster-wide operator handles every namespace, so this test runs alone on the cluster. */
export function clusterPermissions(world: () => World): void {
  test('the operator works under exactly the shipped ClusterRole, and says what is missing without it', async () => {
    const home = await world().namespace('kron-system')
    const kubeconfig = await install(world(), home, undefined)
    const replica = await startReplica(world(), { name: 'cluster-role', leaseNamespace: home, kubeconfig })
    await exercise(world(), await world().namespace('anywhere'))
    assert.doesNotMatch(replica.logged(), /forbidden/)
    const metrics = await (await fetch(`http://127.0.0.1:${replica.port}/metrics`)).text()
    assert.match(metrics, /^kron_jobs_created_total [1-9]/m)
    assert.match(metrics, /^leader_election_master_status\{name="kron-operator"\} 1/m)
    await replica.kill('SIGTERM')

    const path = `${PATHS['ClusterRole']!('')}/kron-operator`
    await world().api.call('PATCH', path, { body: { rules: without(WORK_RULES, 'jobs', 'list') } })
    await until('the permission is gone', async () => !(await mayListJobs(world(), home)))
    const deprived = await startReplica(world(), { name: 'deprived', leaseNamespace: home, kubeconfig })
    await namesMissing(deprived, 'jobs', 'list')
    assert.match(deprived.logged(), /at the cluster scope/)
    await deprived.kill('SIGTERM')
  })
}

async function mayListJobs(world: World, home: string): Promise<boolean> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: {
      user: `system:serviceaccount:${home}:kron-operator`,
      resourceAttributes: { group: 'batch', resource: 'jobs', verb: 'list' },
    },
  }
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
  return (await world.api.call<{ status: { allowed: boolean } }>('POST', path, { body })).status.allowed
}
