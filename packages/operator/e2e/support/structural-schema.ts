/** A node of an OpenAPI v3 document, or of the schema derived from it. */
type Node = Readonly<Record<string, unknown>>
type Schemas = Readonly<Record<string, Node>>

const ROOT = 'io.k8s.api.batch.v1.JobTemplateSpec'
const LONGEST_DESCRIPTION = 160
/** Fields that the API server fills in. A template does not need them. */
const SERVER_FIELDS = [
  'managedFields',
  'selfLink',
  'resourceVersion',
  'uid',
  'generation',
  'deletionTimestamp',
]
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity'
const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/**
 * The JobTemplateSpec of an API server as a structural schema for a CustomResourceDefinition. References are resolved.
 * Defaults are left out, because the template is passed on unchanged. Descriptions are cut to their first sentence, so
 * that the result fits into the annotation that `kubectl apply` writes.
 */
export function jobTemplateSchema(openapi: { components: { schemas: Schemas } }): Node {
  return structural({ $ref: `#/components/schemas/${ROOT}` }, openapi.components.schemas)
}

function structural(node: Node, schemas: Schemas): Node {
  const [only] = (node['allOf'] as readonly Node[] | undefined) ?? []
  const reference = (node['$ref'] ?? only?.['$ref']) as string | undefined
  const description = firstSentence(node['description'])
  if (reference !== undefined) {
    const name = reference.split('/').at(-1)!
    return { ...named(name, schemas), ...(description && { description }) }
  }
  const type = node['type'] as string | undefined
  if (node['format'] === 'int-or-string' || node['oneOf'] !== undefined) {
    return { ...(description && { description }), 'x-kubernetes-int-or-string': true }
  }
  const properties = node['properties'] as Schemas | undefined
  const required = (node['required'] as readonly string[] | undefined) ?? []
  const additional = node['additionalProperties'] as Node | undefined
  const items = node['items'] as Node | undefined
  return {
    ...(type && { type }),
    ...(description && { description }),
    ...(typeof node['format'] === 'string' && isKnownFormat(node['format']) && { format: node['format'] }),
    ...(required.length > 0 && { required }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, each]) => [key, structural(each, schemas)]),
      ),
    }),
    ...(additional && { additionalProperties: structural(additional, schemas) }),
    ...(items && { items: structural(items, schemas), ...listType(node, items, schemas) }),
    ...(node['x-kubernetes-map-type'] === 'atomic' && { 'x-kubernetes-map-type': 'atomic' }),
    ...(type === 'object' && !properties && !additional && { 'x-kubernetes-preserve-unknown-fields': true }),
  }
}

function named(name: string, schemas: Schemas): Node {
  // `cpu: 0.5` is allowed, but an int-or-string would not accept it.
  if (name === QUANTITY) return { 'x-kubernetes-preserve-unknown-fields': true }
  const schema = structural(schemas[name]!, schemas)
  if (name === 'io.k8s.apimachinery.pkg.apis.meta.v1.Time') return { ...schema, nullable: true }
  if (name !== OBJECT_META) return schema
  const properties = Object.entries(schema['properties'] as Schemas).filter(
    ([key]) => !SERVER_FIELDS.includes(key),
  )
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** A list is merged by key only if every key is required. */
function listType(node: Node, items: Node, schemas: Schemas): Node {
  const keys = node['x-kubernetes-list-map-keys'] as readonly string[] | undefined
  if (node['x-kubernetes-list-type'] !== 'map' || keys === undefined) return {}
  const resolved = structural(items, schemas)
  const required = (resolved['required'] as readonly string[] | undefined) ?? []
  if (!keys.every(key => required.includes(key))) return {}
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys }
}

const isKnownFormat = (format: string): boolean =>
  ['int32', 'int64', 'date-time', 'byte', 'double'].includes(format)

function firstSentence(text: unknown): string | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  const sentence = /^.*?[.:;](?=\s|$)/s.exec(text)?.[0] ?? text
  const plain = sentence.replace(/\s+/g, ' ').replace(/[:;]$/, '.').trim()
  return plain.length <= LONGEST_DESCRIPTION ? plain : `${plain.slice(0, LONGEST_DESCRIPTION - 1).trimEnd()}…`
}
