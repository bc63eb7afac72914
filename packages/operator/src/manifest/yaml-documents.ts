import { type Document, Lexer, type LineCounter, parseAllDocuments } from 'yaml'

const LARGEST_TEXT = 4 << 20
const MOST_TOKENS = 300_000

/**
 * The documents of a YAML text. A text that is too large or nested too deeply gives none; `refuse` is told why. The
 * `yaml` package compares every key of a mapping with all others to find duplicates, so its check is off: call
 * `duplicateKey` for each document.
 */
export function yamlDocuments(
  text: string,
  lineCounter: LineCounter,
  refuse: (message: string) => void,
): readonly Document.Parsed[] {
  const excess = excessOf(text)
  if (excess !== undefined) {
    refuse(excess)
    return []
  }
  try {
    const documents = parseAllDocuments(text, { lineCounter, logLevel: 'silent', uniqueKeys: false })
    return Array.isArray(documents) ? documents : []
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    refuse('it is nested too deeply')
    return []
  }
}

function excessOf(text: string): string | undefined {
  if (text.length > LARGEST_TEXT)
    return `it has ${text.length} characters; more than ${LARGEST_TEXT} are refused: split it into several files`
  let tokens = 0
  for (const _ of new Lexer().lex(text))
    if (++tokens > MOST_TOKENS)
      return `it has more than ${MOST_TOKENS} YAML tokens (about 40,000 lines): split it into several files`
  return undefined
}

/** The first line of a parser's message; running out of stack means that the text is nested too deeply. */
export const yamlProblem = (message: string): string =>
  /call stack|stack overflow/i.test(message) ? 'it is nested too deeply' : message.split('\n', 1)[0]!

/** The nodes of a parsed document that can contain duplicates. */
interface YamlNode {
  readonly items?: readonly unknown[]
  readonly key?: unknown
  readonly value?: unknown
  readonly range?: readonly number[] | null
}

interface DuplicateKey {
  readonly key: string
  /** Offset in the text. */
  readonly at: number
}

/** The first key that a mapping has twice. */
export function duplicateKey(contents: unknown): DuplicateKey | undefined {
  const waiting: unknown[] = [contents]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { items = [] } = node as YamlNode
    const seen = new Set<string>()
    for (const item of items) {
      if (!isNode(item)) continue
      const pair = isPair(item)
      const found = pair ? keyOf(item) : undefined
      if (found !== undefined && seen.has(found.key)) return found
      if (found !== undefined) seen.add(found.key)
      for (const part of pair ? [item.key, item.value] : [item]) if (isNode(part)) waiting.push(part)
    }
  }
  return undefined
}

const isNode = (value: unknown): value is YamlNode => typeof value === 'object' && value !== null

/** In a mapping the items are pairs; a scalar has a value, but no key. */
const isPair = (node: YamlNode): boolean => 'key' in node

function keyOf({ key }: YamlNode): DuplicateKey | undefined {
  if (!isNode(key) || key.items !== undefined) return undefined
  return { key: String(key.value), at: key.range?.[0] ?? 0 }
}

/** The plain value of a document. Throws for aliases that are undefined or nested too deeply. */
export const plainValue = (document: Pick<Document, 'toJS'>): unknown => document.toJS({ maxAliasCount: 100 })
