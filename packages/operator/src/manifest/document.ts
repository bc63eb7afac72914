import { quote } from '@kron/core'
import { isNode, LineCounter } from 'yaml'
import { duplicateKey, plainValue, yamlDocuments, yamlProblem } from './yaml-documents.ts'

/** One object of a YAML file, with the positions of its fields. */
export interface ManifestDocument {
  readonly file: string
  readonly value: unknown
  /** The line and column, from 1, of the field at a path such as `spec.window.mode`, or of its nearest parent. */
  readonly placeOf: (path: string) => { readonly line: number; readonly column: number }
}

export interface ReadManifests {
  readonly documents: readonly ManifestDocument[]
  readonly errors: readonly string[]
}

/** Reads every object of a YAML (or JSON) text. A `List` is replaced by its items. */
export function readManifests(file: string, text: string): ReadManifests {
  const lines = new LineCounter()
  const documents: ManifestDocument[] = []
  const errors: string[] = []
  const refuse = (message: string): unknown => errors.push(`${file}: ${message}`)
  for (const document of yamlDocuments(text, lines, refuse)) {
    for (const { message, pos } of document.errors) {
      const { line, col } = lines.linePos(pos[0])
      errors.push(`${file}:${line}:${col}: ${yamlProblem(message)}`)
    }
    if (document.errors.length > 0) continue
    const twice = duplicateKey(document.contents)
    if (twice !== undefined) {
      const { line, col } = lines.linePos(twice.at)
      errors.push(`${file}:${line}:${col}: the key ${quote(twice.key)} is there twice`)
      continue
    }
    let value: unknown
    try {
      value = plainValue(document)
    } catch (error) {
      const { line, col } = lines.linePos(document.contents?.range?.[0] ?? 0)
      errors.push(`${file}:${line}:${col}: ${yamlProblem((error as Error).message)}`)
    }
    if (value === null || value === undefined) continue
    const placeAt = (keys: readonly (string | number)[]): { line: number; column: number } => {
      for (let depth = keys.length; depth >= 0; depth--) {
        const node = depth === 0 ? document.contents : document.getIn(keys.slice(0, depth), true)
        if (!isNode(node) || !node.range) continue
        const { line, col } = lines.linePos(node.range[0])
        return { line, column: col }
      }
      return { line: 1, column: 1 }
    }
    const add = (object: unknown, before: readonly (string | number)[]): void => {
      documents.push({ file, value: object, placeOf: path => placeAt([...before, ...keysOf(path)]) })
    }
    const { kind, items } = value as { kind?: unknown; items?: unknown }
    if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items))
      for (const [i, item] of items.entries()) add(item, ['items', i])
    else add(value, [])
  }
  return { documents, errors }
}

/** Splits a path such as `spec.constraints.only[2].dow` into keys. */
function keysOf(path: string): (string | number)[] {
  if (path === '') return []
  return path.split(/[.[]/).map(part => (part.endsWith(']') ? Number(part.slice(0, -1)) : part))
}
