import { type Document, isNode, LineCounter, parseAllDocuments } from 'yaml'

/** One object of a YAML file, with the way back to its lines. */
export interface ManifestDocument {
  readonly file: string
  readonly value: unknown
  /** Line and column, from 1, of the field at a path such as `spec.window.mode`, or of its nearest parent. */
  placeOf(path: string): { readonly line: number; readonly column: number }
}

export interface ReadManifests {
  readonly documents: readonly ManifestDocument[]
  readonly errors: readonly string[]
}

/** Every object of a YAML (or JSON) text; a `List` stands for its items. */
export function readManifests(file: string, text: string): ReadManifests {
  const lines = new LineCounter()
  const documents: ManifestDocument[] = []
  const errors: string[] = []
  for (const document of parseAllDocuments(text, { lineCounter: lines })) {
    for (const { message, pos } of document.errors) {
      const { line, col } = lines.linePos(pos[0])
      errors.push(`${file}:${line}:${col}: ${message.split('\n', 1)[0]}`)
    }
    if (document.errors.length > 0) continue
    const value = plainValue(document, error => {
      const { line, col } = lines.linePos(document.contents?.range?.[0] ?? 0)
      errors.push(`${file}:${line}:${col}: ${error}`)
    })
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

/** An alias may lead nowhere, or many may nest beyond all measure. */
function plainValue(document: Pick<Document, 'toJS'>, onError: (message: string) => void): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    onError((error as Error).message.split('\n', 1)[0]!)
  }
}

/** `spec.constraints.only[2].dow` as keys. */
function keysOf(path: string): (string | number)[] {
  if (path === '') return []
  return path.split(/[.[]/).map(part => (part.endsWith(']') ? Number(part.slice(0, -1)) : part))
}
