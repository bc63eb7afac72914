import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DISTRIBUTION_PARAMETERS } from '@kron/core'
import { CUSTOM_RESOURCE_DEFINITION } from './crd.ts'
import { KRON_JOB_SCHEMA, type Schema } from './schema.ts'

/** Every field of the schema with its path. */
function* fields(schema: Schema, path = ''): Generator<[string, Schema]> {
  for (const [key, each] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    yield [`${path}.${key}`, each]
    yield* fields(each, `${path}.${key}`)
  }
  if (schema['items']) yield* fields(schema['items'] as Schema, `${path}[]`)
  const additional = schema['additionalProperties']
  if (typeof additional === 'object') yield* fields(additional as Schema, `${path}.*`)
}

const all = [...fields(KRON_JOB_SCHEMA)]

test('kubectl explain has words for every field, those of the Job template too', () => {
  assert.ok(all.length > 900, `${all.length} fields`)
  const silent = all
    .filter(([path, { description }]) => path !== '.metadata' && !description)
    .map(([path]) => path)
  assert.deepEqual(silent, [])
})

test('no rule shows people a regular expression, and each has a message', () => {
  const own = all.filter(([path]) => !path.startsWith('.spec.jobTemplate'))
  assert.deepEqual(
    own.filter(([, each]) => each['pattern'] !== undefined),
    [],
  )
  const rules = own.flatMap(([, each]) => (each['x-kubernetes-validations'] ?? []) as { message?: string }[])
  assert.ok(rules.length > 10 && rules.every(({ message }) => (message ?? '').length > 10))
})

test('the reference of users names every field of spec and status', () => {
  const page = readFileSync(new URL('../../../../docs/reference/kronjob.md', import.meta.url), 'utf8')
  const isOurs = /^\.spec\.(?!jobTemplate\.)|^\.status\.(\w+$|intent\.)/
  const own = all.filter(([path]) => isOurs.test(path))
  const names = new Set(own.map(([path]) => /\w+(?=[.[\]*]*$)/.exec(path)![0]))
  const absent = [...names].filter(name => !new RegExp(`\\b${name}\\b`).test(page))
  assert.deepEqual(absent, [])
})

test('the CRD fits into the annotation that kubectl apply writes', () => {
  assert.ok(JSON.stringify(CUSTOM_RESOURCE_DEFINITION).length < 256 * 1024)
})

test('the Job template has no defaults: a template is carried along as it is', () => {
  const changed = all.filter(([path, each]) => path.startsWith('.spec.jobTemplate.') && 'default' in each)
  assert.deepEqual(changed, [])
})

test('every parameter of a distribution has a field, and a rule about the distributions that take it', () => {
  const under = '.spec.distribution.params.'
  const parameters = [...new Set(Object.values(DISTRIBUTION_PARAMETERS).flat())].sort()
  const found = all.flatMap(([path]) => (path.startsWith(under) ? [path.slice(under.length)] : []))
  assert.deepEqual(found.sort(), parameters)
  const distribution = all.find(([path]) => path === '.spec.distribution')![1]
  const rules = distribution['x-kubernetes-validations'] as { message: string }[]
  const isRuled = (parameter: string): boolean =>
    rules.some(({ message }) => message.startsWith(`the parameter ${parameter} `))
  assert.ok(parameters.every(isRuled))
})
