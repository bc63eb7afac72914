import { registerHooks } from 'node:module'
import { childOf, Insertions, nodesOf, parseTypeScript, type SyntaxNode } from '../../scripts/syntax.ts'

/** Modules of the packages, and the broken parsers that prove the fuzzer. */
const ATTACKED = /\/packages\/[^/]+\/src\/|\/fuzz\/broken\//

/** Which branches of the loaded packages have been taken. */
export class Branches {
  total = 0
  taken = 0
  readonly seen = new Uint8Array(1 << 16)

  readonly take = (branch: number): void => {
    this.seen[branch] = 1
    this.taken++
  }
}

/**
 * Lets every module of the packages that is imported from here on report the branches it takes. V8's own block
 * coverage would do, but it keeps code from being optimised and is ten times slower.
 */
export function instrumentPackages(branches: Branches): void {
  Object.assign(globalThis, { kronBranches: branches })
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!ATTACKED.test(url) || loaded.source == null) return loaded
      return { ...loaded, format: 'module', source: instrumented(String(loaded.source), branches) }
    },
  })
}

/** The module with a mark at the start of every branch; a mark that was passed once costs one look at a byte. */
export function instrumented(text: string, branches: Pick<Branches, 'total'>): string {
  const { code, tree } = parseTypeScript(text)
  const insertions = new Insertions()
  const mark = (): string => `$seen[${branches.total}]||$take(${branches.total++})`
  for (const node of nodesOf(tree)) markBranches(node, insertions, mark)
  return `const {seen:$seen,take:$take}=globalThis.kronBranches;${insertions.applyTo(code)}`
}

function markBranches(node: SyntaxNode, insertions: Insertions, mark: () => string): void {
  const expression = (key: string): void => {
    const child = childOf(node, key)
    if (child !== undefined) insertions.around(child, `(${mark()},(`, '))')
  }
  const statement = (key: string): void => {
    const child = childOf(node, key)
    if (child === undefined) return
    if (child.type === 'BlockStatement') insertions.at(child.start + 1, `${mark()};`)
    else insertions.around(child, `{${mark()};`, '}')
  }
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      return statement('body')
    case 'ArrowFunctionExpression':
      return node['expression'] === true ? expression('body') : statement('body')
    case 'IfStatement':
      // The code after an `if` that did not hold is a branch, too.
      if (node['alternate'] === null) insertions.behind(childOf(node, 'consequent')!, `else{${mark()}}`)
      statement('consequent')
      return statement('alternate')
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'WhileStatement':
    case 'CatchClause':
      return statement('body')
    case 'ConditionalExpression':
      expression('consequent')
      return expression('alternate')
    case 'LogicalExpression':
      return expression('right')
    case 'SwitchCase': {
      const [first] = node['consequent'] as SyntaxNode[]
      if (first !== undefined) insertions.at(first.start, `${mark()};`)
    }
  }
}
