import { childOf, Insertions, nodesOf, parseTypeScript, type SyntaxNode } from '../../scripts/syntax.ts'

/** One place in a source at which one thing can be made wrong. */
export interface Site {
  readonly file: string
  readonly line: number
  /** The mutation, as `< to <=`. */
  readonly change: string
  /** The line it is in. */
  readonly source: string
}

/** How it is told from others when lines move: the same change of the same line may come several times. */
export const siteName = ({ file, change, source }: Site): string => `${file}: ${source} [${change}]`

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const ARITHMETIC: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }
const LEAVING = new Set(['ReturnStatement', 'ContinueStatement', 'BreakStatement'])

/** The module with a switch at every place; which of them is thrown is decided while it runs. */
export function withSwitches(text: string, file: string, sites: Site[]): string {
  const { code, tree } = parseTypeScript(text)
  const lines = text.split('\n')
  const insertions = new Insertions()
  const add = (node: SyntaxNode, change: string): number => {
    const line = code.slice(0, node.start).split('\n').length
    return sites.push({ file, line, change, source: lines[line - 1]!.trim() }) - 1
  }
  const skipped = new Set<unknown>()
  for (const node of nodesOf(tree)) {
    if (skipped.has(node)) continue
    if (node.type === 'ImportDeclaration' || (node.type === 'Property' && node['computed'] === false))
      skipped.add(node['key'] ?? node['source'])
    placeSwitch(node, code, insertions, add)
  }
  return `const $mutant=globalThis.kronMutant;${insertions.applyTo(code)}`
}

type Add = (node: SyntaxNode, change: string) => number

function placeSwitch(node: SyntaxNode, code: string, insertions: Insertions, add: Add): void {
  const operator = String(node['operator'])
  switch (node.type) {
    case 'BinaryExpression': {
      const other = COMPARISONS[operator] ?? ARITHMETIC[operator]
      if (other !== undefined && !isText(node)) replaceOperator(node, other, code, insertions, add)
      return
    }
    case 'LogicalExpression':
      if (LOGIC[operator] !== undefined && !mayPause(node))
        replaceOperator(node, LOGIC[operator], code, insertions, add)
      return
    case 'IfStatement':
    case 'ConditionalExpression':
      return bendTest(node, insertions, add)
    case 'Literal':
      if (typeof node['value'] === 'number')
        wrap(node, `number(${add(node, `${node['value']} to ${node['value'] + 1}`)},`, insertions)
      if (typeof node['value'] === 'boolean')
        wrap(node, `not(${add(node, `${node['value']} to ${!node['value']}`)},`, insertions)
  }
}

/** `a < b` becomes a call, so that neither side has to be written twice; the right side of logic stays lazy. */
function replaceOperator(
  node: SyntaxNode,
  other: string,
  code: string,
  insertions: Insertions,
  add: Add,
): void {
  const operator = String(node['operator'])
  const lazy = node.type === 'LogicalExpression'
  const site = add(node, `${operator} to ${other}`)
  insertions.around(node, `$mutant.binary(${site},${JSON.stringify(operator)},(`, `))`)
  insertions.replace(operatorAt(node, code), operator.length, lazy ? '),()=>(' : '),(')
}

/** Parentheses may stand between the left side and the operator, and nothing else that could be taken for it. */
const operatorAt = (node: SyntaxNode, code: string): number =>
  code.indexOf(String(node['operator']), childOf(node, 'left')!.end)

function bendTest(node: SyntaxNode, insertions: Insertions, add: Add): void {
  const test = childOf(node, 'test')!
  const consequent = childOf(node, 'consequent')!
  const [only] = (consequent.type === 'BlockStatement' ? consequent['body'] : [consequent]) as SyntaxNode[]
  const early = node.type === 'IfStatement' && node['alternate'] === null && LEAVING.has(only?.type ?? '')
  if (early) wrap(test, `off(${add(node, 'early exit removed')},`, insertions)
  const flipped = test.type === 'BinaryExpression' && ['===', '!=='].includes(String(test['operator']))
  if (!flipped) wrap(test, `not(${add(node, 'condition negated')},`, insertions)
}

const wrap = (node: SyntaxNode, call: string, insertions: Insertions): void =>
  insertions.around(node, `$mutant.${call}(`, '))')

const isText = (node: SyntaxNode): boolean =>
  node['operator'] === '+' &&
  ['left', 'right'].some(side => {
    const child = childOf(node, side)!
    return child.type === 'TemplateLiteral' || typeof child['value'] === 'string'
  })

/** An arrow function cannot hold these for the function around it. */
const mayPause = (node: SyntaxNode): boolean =>
  [...nodesOf(node)].some(({ type }) => type === 'AwaitExpression' || type === 'YieldExpression')
