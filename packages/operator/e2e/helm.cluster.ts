import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { API_VERSION } from '../src/manifest/kronjob.ts'
import { tool } from './support/tools.ts'
import type { World } from './support/world.ts'

const CHART = join(import.meta.dirname, '../../../packaging/kubernetes/helm/kron-operator')
const GOLDEN = join(import.meta.dirname, '../golden/helm')

/** Values whose rendered chart is kept as a golden file. The CRD is left out, because it has its own file. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  defaults: [],
  namespaced: ['watchNamespaces={shop,mail}', 'rbac.userRoles=false', 'podDisruptionBudget.enabled=false'],
  everything: [
    'salt=cluster-7',
    'priorityClassName=system-cluster-critical',
    'networkPolicy.enabled=true',
    'serviceMonitor.enabled=true',
    'prometheusRule.enabled=true',
    'imagePullSecrets[0].name=registry',
    'tolerations[0].operator=Exists',
    'extraArgs={--watch-timeout=1m}',
    'fullnameOverride=kron',
  ],
}

/** The chart without its check of the cluster version: a control plane built from the module proxy has no version. */
function anyVersion(directory: string): string {
  const copy = join(directory, 'chart')
  cpSync(CHART, copy, { recursive: true })
  const file = join(copy, 'Chart.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^kubeVersion: .*\n/m, ''))
  return copy
}

/** A chart of an application with a CronJob and a KronJob that run the same pods. */
function applicationChart(directory: string): string {
  const chart = join(directory, 'application')
  mkdirSync(join(chart, 'templates'), { recursive: true })
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: application\nversion: 1.0.0\n')
  writeFileSync(join(chart, 'values.yaml'), 'tag: "1"\nmode: calm\nsidecar: false\n')
  const jobs = Object.entries({ CronJob: 'batch/v1', KronJob: API_VERSION }).map(
    ([kind, apiVersion]) => `
apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: '{{ .Release.Name }}-nightly'}
spec:
  schedule: 0 2 * * *
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - {name: main, image: 'main:{{ .Values.tag }}', env: [{name: MODE, value: '{{ .Values.mode }}'}]}
            {{- if .Values.sidecar }}
            - {name: side, image: side}
            {{- end }}
`,
  )
  writeFileSync(join(chart, 'templates/jobs.yaml'), jobs.join('---'))
  return chart
}

/** Tests of the chart: lint, golden files, and installation on the test cluster. */
export function helm(world: () => World): void {
  test('helm lint is content, and the chart renders as it is kept', async () => {
    await tool('helm', ['lint', '--strict', CHART])
    for (const [name, values] of Object.entries(CASES)) {
      const set = values.flatMap(each => ['--set', each])
      const args = [
        'template',
        'kron',
        CHART,
        '-n',
        'kron-system',
        '--kube-version=1.34',
        '--set=crds.enabled=false',
        ...set,
      ]
      const rendered = await tool('helm', args)
      const path = join(GOLDEN, `${name}.yaml`)
      if (process.env['KRON_UPDATE'] !== undefined) writeFileSync(path, rendered)
      assert.equal(rendered, readFileSync(path, 'utf8'), `${path}: run with KRON_UPDATE=1 to renew it`)
    }
  })

  test('wrong values are refused with their name', async () => {
    const wrong = tool('helm', ['template', 'kron', CHART, '--kube-version=1.34', '--set', 'replica=3'])
    await assert.rejects(wrong, /additional properties 'replica' not allowed|replica/)
  })

  test('two releases are installed beside each other, upgraded, rolled back and removed', async () => {
    const { kubectl, plane } = world()
    const chart = anyVersion(plane.directory)
    const run = (...args: string[]): Promise<string> =>
      tool('helm', [...args, `--kubeconfig=${plane.kubeconfig}`])
    const crd = 'customresourcedefinition/kronjobs.kron.io'
    const [one, two] = [await world().namespace('helm-one'), await world().namespace('helm-two')]
    // Helm adopts an existing CRD with this label and these annotations.
    await kubectl('label', crd, 'app.kubernetes.io/managed-by=Helm', '--overwrite')
    await kubectl(
      'annotate',
      crd,
      'meta.helm.sh/release-name=kron',
      `meta.helm.sh/release-namespace=${one}`,
      '--overwrite',
    )
    await run('install', 'kron', chart, '-n', one)
    await run('install', 'kron', chart, '-n', two, '--set=crds.enabled=false', '--set=rbac.userRoles=false')
    const replicas = async (namespace: string): Promise<string> =>
      kubectl('get', 'deployment', 'kron-kron-operator', '-n', namespace, '-o', 'jsonpath={.spec.replicas}')
    assert.deepEqual([await replicas(one), await replicas(two)], ['2', '2'])
    await run('upgrade', 'kron', chart, '-n', one, '--set=replicas=3')
    assert.deepEqual([await replicas(one), await replicas(two)], ['3', '2'])
    await run('rollback', 'kron', '1', '-n', one)
    assert.equal(await replicas(one), '2')
    for (const namespace of [one, two]) await run('uninstall', 'kron', '-n', namespace)
    assert.match(await kubectl('get', crd, '-o', 'name'), /kronjobs\.kron\.io/)
  })

  test('a KronJob of an application chart is installed, upgraded and rolled back like the CronJob beside it', async () => {
    const { kubectl, plane } = world()
    const chart = applicationChart(plane.directory)
    const pods = async (namespace: string): Promise<string> => {
      const path = '-o=jsonpath={.spec.jobTemplate.spec.template.spec.containers[*].image} {..env}'
      const [cronJob, kronJob] = await Promise.all(
        ['cronjob', 'kronjob'].map(kind => kubectl('get', `${kind}/app-nightly`, '-n', namespace, path)),
      )
      const plain = (text: string): string => text.replace(/"?(name|value)"?:"?(\w+)"?/g, '$1=$2')
      assert.equal(plain(kronJob!), plain(cronJob!))
      return kronJob!
    }
    for (const namespace of [await world().namespace('shop-one'), await world().namespace('shop-two')]) {
      const run = (...args: string[]): Promise<string> =>
        tool('helm', [...args, `--kubeconfig=${plane.kubeconfig}`, '-n', namespace])
      await run('install', 'app', chart)
      const first = await pods(namespace)
      assert.match(first, /^main:1 .*calm/)
      await run('upgrade', 'app', chart, '--set=tag=2,mode=busy,sidecar=true')
      assert.match(await pods(namespace), /^main:2 side .*busy/)
      await run('rollback', 'app', '1')
      assert.equal(await pods(namespace), first)
    }
    for (const namespace of ['shop-one', 'shop-two']) {
      await tool('helm', ['uninstall', 'app', '-n', namespace, `--kubeconfig=${plane.kubeconfig}`])
      assert.equal(await kubectl('get', 'kronjobs', '-n', namespace, '-o', 'name'), '')
    }
  })
}
