import { quote } from '@kron/core'
import type { Schema } from './schema.ts'

/** A mistake in a field of a manifest. */
export interface ManifestFault {
  readonly path: string
  readonly message: string
}

/** The faults that admission would report, and the unknown fields that it would drop silently. */
export function checkStructure(value: unknown, schema: Schema, path = ''): ManifestFault[] {
  const wrong = (message: string): ManifestFault[] => [{ path, message }]
  if (value === null && schema['nullable'] === true) return []
  if (schema['x-kubernetes-int-or-string'] === true) {
    const fits = typeof value === 'string' || Number.isInteger(value)
    return fits ? [] : wrong(`expected a whole number or a string, found ${found(value)}`)
  }
  if (schema['type'] === undefined) return []
  const type = schema['type'] as string
  if (!hasType(value, type)) return wrong(`expected ${article(type)}, found ${found(value)}`)
  switch (type) {
    case 'object':
      return checkObject(value as Record<string, unknown>, schema, path)
    case 'array':
      return checkArray(value as readonly unknown[], schema, path)
    case 'string':
      return checkString(value as string, schema).flatMap(wrong)
    case 'number':
    case 'integer':
      return checkNumber(value as number, schema).flatMap(wrong)
    default:
      return []
  }
}

const inside = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

function checkObject(value: Record<string, unknown>, schema: Schema, path: string): ManifestFault[] {
  const properties = schema['properties'] as Readonly<Record<string, Schema>> | undefined
  const additional = schema['additionalProperties'] as Schema | undefined
  const faults: ManifestFault[] = []
  for (const key of (schema['required'] as readonly string[] | undefined) ?? []) {
    if (value[key] === undefined) faults.push({ path, message: `the field ${key} is missing` })
  }
  const size = Object.keys(value).length
  if (size < ((schema['minProperties'] as number | undefined) ?? 0))
    faults.push({ path, message: 'it is empty' })
  if (size > ((schema['maxProperties'] as number | undefined) ?? size)) {
    faults.push({ path, message: `expected one key, found ${Object.keys(value).join(' and ')}` })
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || (!properties && !additional)) return faults
  for (const [key, each] of Object.entries(value)) {
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : additional
    const at = inside(path, key)
    if (known !== undefined) faults.push(...checkStructure(each, known, at))
    else {
      const names = Object.keys(properties ?? {})
      faults.push({ path: at, message: `unknown field ${quote(key)}; fields are ${names.join(', ')}` })
    }
  }
  return faults
}

function checkArray(value: readonly unknown[], schema: Schema, path: string): ManifestFault[] {
  const most = schema['maxItems'] as number | undefined
  const faults = value.flatMap((each, i) => checkStructure(each, schema['items'] as Schema, `${path}[${i}]`))
  if (most !== undefined && value.length > most) {
    faults.push({ path, message: `expected at most ${most} items, found ${value.length}` })
  }
  return faults
}

function checkString(value: string, schema: Schema): string[] {
  const choices = schema['enum'] as readonly string[] | undefined
  if (choices && !choices.includes(value))
    return [`expected one of ${choices.join(', ')}, found ${quote(value)}`]
  const most = schema['maxLength'] as number | undefined
  return most !== undefined && value.length > most
    ? [`expected at most ${most} characters, found ${value.length}`]
    : []
}

function checkNumber(value: number, schema: Schema): string[] {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  if (minimum !== undefined && (schema['exclusiveMinimum'] === true ? value <= minimum : value < minimum)) {
    return [
      `expected ${schema['exclusiveMinimum'] === true ? 'more than' : 'at least'} ${minimum}, found ${value}`,
    ]
  }
  return maximum !== undefined && value > maximum ? [`expected at most ${maximum}, found ${value}`] : []
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

const found = (value: unknown): string =>
  value === null
    ? 'nothing'
    : Array.isArray(value)
      ? 'a list'
      : `the ${typeof value} ${quote(String(JSON.stringify(value)))}`
