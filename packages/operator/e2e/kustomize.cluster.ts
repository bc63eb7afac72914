import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseAllDocuments, stringify } from 'yaml'
import { API_VERSION } from '../src/manifest/kronjob.ts'
import { kustomizeOpenapi, OPENAPI_FILE } from './support/kustomize-openapi.ts'
import type { World } from './support/world.ts'

const CONFIG = join(import.meta.dirname, '../../../packaging/kubernetes/kustomize/config')

const jobTemplate = {
  spec: {
    template: {
      spec: {
        restartPolicy: 'Never',
        serviceAccountName: 'runner',
        containers: [
          { name: 'main', image: 'main:1', env: [{ name: 'A', value: '1' }] },
          { name: 'side', image: 'side:1', envFrom: [{ configMapRef: { name: 'settings' } }] },
        ],
        volumes: [
          { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
          { name: 'files', configMap: { name: 'settings' } },
          { name: 'keys', secret: { secretName: 'keys' } },
        ],
      },
    },
  },
}

const patch = {
  spec: {
    jobTemplate: {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'main', env: [{ name: 'B', value: '2' }], resources: { limits: { cpu: '1' } } },
            ],
            volumes: [{ name: 'scratch', emptyDir: {} }],
          },
        },
      },
    },
  },
}

/** Tests that kustomize treats a KronJob like a CronJob. */
export function kustomize(world: () => World): void {
  test('kustomize patches, prefixes and labels a KronJob as it does a CronJob', async () => {
    const directory = join(world().plane.directory, 'kustomization')
    mkdirSync(directory)
    for (const name of ['kronjob.yaml', 'openapi.json']) cpSync(join(CONFIG, name), join(directory, name))
    const write = (name: string, ...objects: object[]): void =>
      writeFileSync(join(directory, name), objects.map(each => stringify(each)).join('---\n'))
    const head = { CronJob: 'batch/v1', KronJob: API_VERSION }
    for (const [kind, apiVersion] of Object.entries(head)) {
      const object = { apiVersion, kind, metadata: { name: 'nightly' } }
      write(`${kind}.yaml`, { ...object, spec: { schedule: '0 2 * * *', jobTemplate } })
      write(`${kind}-patch.yaml`, { ...object, ...patch })
    }
    write(
      'others.yaml',
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'runner' } },
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: {} },
    )
    write('kustomization.yaml', {
      resources: ['CronJob.yaml', 'KronJob.yaml', 'others.yaml'],
      patches: [{ path: 'CronJob-patch.yaml' }, { path: 'KronJob-patch.yaml' }],
      configMapGenerator: [{ name: 'settings', literals: ['a=b'] }],
      secretGenerator: [{ name: 'keys', literals: ['k=v'] }],
      images: [{ name: 'side', newTag: '2' }],
      namePrefix: 'prod-',
      namespace: 'shop',
      labels: [{ pairs: { team: 'a' }, includeTemplates: true }],
      configurations: ['kronjob.yaml'],
      openapi: { path: 'openapi.json' },
    })
    const built = parseAllDocuments(await world().kubectl('kustomize', directory)).map(
      each => each.toJS() as { kind: string; metadata: object; spec: { jobTemplate: typeof jobTemplate } },
    )
    const [cronJob, kronJob] = ['CronJob', 'KronJob'].map(kind => built.find(each => each.kind === kind)!)
    assert.deepEqual(kronJob!.metadata, cronJob!.metadata)
    const pod = kronJob!.spec.jobTemplate.spec.template.spec
    assert.deepEqual(pod, cronJob!.spec.jobTemplate.spec.template.spec)
    assert.deepEqual(
      pod.containers.map(each => each.name),
      ['main', 'side'],
    )
    assert.equal(pod.volumes.length, 4)
    assert.match(JSON.stringify(pod), /prod-settings-[a-z0-9]+.*prod-data/)
  })

  test("kustomize's OpenAPI document is the API server's", async context => {
    if (!world().own) return context.skip('an existing cluster may have another version of Kubernetes')
    const made = kustomizeOpenapi(await world().api.get('/openapi/v2'))
    if (process.env['KRON_UPDATE'] !== undefined) writeFileSync(OPENAPI_FILE, made)
    assert.ok(readFileSync(OPENAPI_FILE, 'utf8') === made, 'run with KRON_UPDATE=1 to renew it')
  })
}
