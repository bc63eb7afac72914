/*
 * The limits of a manifest. The `yaml` package compares every key of a mapping with all others, so
 * its own check for duplicates is left off and made here, in one pass. It is passed in by structure: this package has no
 * dependency on it.
 */

const LARGEST_TEXT = 4 << 20
const MOST_TOKENS = 300_000

/** Why a text is too much to be read as YAML; undefined if it is not. `lex` gives its tokens one by one. */
export function yamlExcess(text: string, lex: (text: string) => Iterable<unknown>): string | undefined {
  if (text.length > LARGEST_TEXT)
    return `it has ${text.length} characters; more than ${LARGEST_TEXT} are refused: split it into several files`
  let tokens = 0
  for (const _ of lex(text))
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

export interface DuplicateKey {
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
