import { join } from 'node:path'
import { GROUP, VERSION } from '../../src/manifest/kronjob.ts'

type Node = Readonly<Record<string, unknown>>
type Definitions = Readonly<Record<string, Node>>

export const OPENAPI_FILE = join(
  import.meta.dirname,
  '../../../../packaging/kubernetes/kustomize/config/openapi.json',
)

const KEPT = [
  'type',
  'items',
  'additionalProperties',
  '$ref',
  'x-kubernetes-group-version-kind',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-patch-strategy',
]
const JOB_TEMPLATE = 'io.k8s.api.batch.v1.JobTemplateSpec'

/**
 * The OpenAPI document that lets kustomize merge patches of KronJobs by key. It replaces kustomize's own document, so
 * it also contains the built-in kinds, each reduced to the fields that are merged by key.
 */
export function kustomizeOpenapi({ definitions }: { definitions: Definitions }): string {
  const known = new Map<string, boolean>()
  const isMerged = (node: Node): boolean => {
    if (node['x-kubernetes-patch-strategy'] !== undefined) return true
    const reference = referenceIn(node)
    if (reference !== undefined) return isMergedDefinition(reference)
    const inside = [
      node['items'],
      node['additionalProperties'],
      ...Object.values((node['properties'] ?? {}) as Definitions),
    ]
    return inside.some(each => typeof each === 'object' && each !== null && isMerged(each as Node))
  }
  const isMergedDefinition = (name: string): boolean => {
    const answer = known.get(name)
    if (answer !== undefined) return answer
    known.set(name, false)
    const merged = isMerged(definitions[name]!)
    known.set(name, merged)
    return merged
  }
  const slim = (node: Node): Node => {
    const properties = Object.entries((node['properties'] ?? {}) as Definitions).filter(([, each]) =>
      isMerged(each),
    )
    return {
      ...Object.fromEntries(Object.entries(node).filter(([key]) => KEPT.includes(key))),
      ...(typeof node['items'] === 'object' && { items: slim(node['items'] as Node) }),
      ...(properties.length > 0 && {
        properties: Object.fromEntries(properties.map(([key, each]) => [key, slim(each)])),
      }),
    }
  }
  const found: Record<string, Node> = { [`${GROUP}.${VERSION}.KronJob`]: kronJob() }
  const queue = Object.keys(definitions).filter(name => isKind(name, definitions[name]!))
  for (let name = queue.pop() ?? JOB_TEMPLATE; name !== undefined; name = queue.pop()!) {
    if (found[name] !== undefined) continue
    found[name] = slim(definitions[name]!)
    for (const [, more] of JSON.stringify(found[name]).matchAll(/#\/definitions\/([^"]+)/g)) queue.push(more!)
  }
  const lines = Object.keys(found)
    .sort()
    .map(name => `${JSON.stringify(name)}: ${JSON.stringify(found[name])}`)
  return `{"definitions": {\n${lines.join(',\n')}\n}}\n`
}

const referenceIn = (node: Node): string | undefined =>
  (node['$ref'] as string | undefined)?.split('/').at(-1)

const isKind = (name: string, node: Node): boolean => {
  const kinds = node['x-kubernetes-group-version-kind'] as { group: string; version: string }[] | undefined
  return (
    !name.endsWith('List') &&
    (kinds?.some(({ group, version }) => /^v\d$/.test(version) && group !== GROUP) ?? false)
  )
}

const kronJob = (): Node => ({
  type: 'object',
  properties: {
    metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    spec: { type: 'object', properties: { jobTemplate: { $ref: `#/definitions/${JOB_TEMPLATE}` } } },
  },
  'x-kubernetes-group-version-kind': [{ group: GROUP, kind: 'KronJob', version: VERSION }],
})
