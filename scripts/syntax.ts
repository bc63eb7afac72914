import { stripTypeScriptTypes } from 'node:module'
import { parse } from 'acorn'

/** A node of the syntax tree; offsets count from the start of the file. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export interface Source {
  /** JavaScript of the same length: types are blanked. */
  readonly code: string
  readonly tree: SyntaxNode
}

export function parseTypeScript(text: string): Source {
  const code = stripTypeScriptTypes(text, { mode: 'strip' })
  return { code, tree: parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as SyntaxNode }
}

/** A node and everything below it, parents first. */
export function* nodesOf(node: SyntaxNode): Generator<SyntaxNode> {
  yield node
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const each of value) if (isNode(each)) yield* nodesOf(each)
    if (isNode(value)) yield* nodesOf(value)
  }
}

export const childOf = (node: SyntaxNode, key: string): SyntaxNode | undefined => {
  const child = node[key]
  return isNode(child) ? child : undefined
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'

interface Place {
  before: string
  after: string
  dropped: number
}

/** Texts to be put between the characters of a source. */
export class Insertions {
  readonly #at = new Map<number, Place>()

  /** Around a node: of several that start at one place the outermost was given first and stays outside. */
  around(node: SyntaxNode, before: string, after: string): void {
    this.#place(node.start).after += before
    this.behind(node, after)
  }

  behind(node: SyntaxNode, text: string): void {
    const end = this.#place(node.end)
    end.before = text + end.before
  }

  at(offset: number, text: string): void {
    this.#place(offset).after += text
  }

  /** Puts a text in the place of another. */
  replace(offset: number, length: number, text: string): void {
    const place = this.#place(offset)
    place.after += text
    place.dropped = length
  }

  applyTo(code: string): string {
    let result = ''
    let done = 0
    for (const [offset, { before, after, dropped }] of [...this.#at].sort(([a], [b]) => a - b)) {
      result += code.slice(done, offset) + before + after
      done = offset + dropped
    }
    return result + code.slice(done)
  }

  #place(offset: number): Place {
    const place = this.#at.get(offset) ?? { before: '', after: '', dropped: 0 }
    this.#at.set(offset, place)
    return place
  }
}
