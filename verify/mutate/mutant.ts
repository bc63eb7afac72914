type Lazy = () => unknown
type Apply = (a: never, b: never) => unknown

const PAIRS: Readonly<Record<string, readonly [Apply, Apply]>> = {
  '<': [(a, b) => a < b, (a, b) => a <= b],
  '<=': [(a, b) => a <= b, (a, b) => a < b],
  '>': [(a, b) => a > b, (a, b) => a >= b],
  '>=': [(a, b) => a >= b, (a, b) => a > b],
  '===': [(a, b) => a === b, (a, b) => a !== b],
  '!==': [(a, b) => a !== b, (a, b) => a === b],
  '+': [(a, b) => a + b, (a, b) => a - b],
  '-': [(a, b) => a - b, (a, b) => a + b],
  '*': [(a, b) => a * b, (a, b) => a / b],
  '/': [(a, b) => a / b, (a, b) => a * b],
  '%': [(a, b) => a % b, (a, b) => a * b],
  '&&': [(a, b: Lazy) => a && b(), (a, b: Lazy) => a || b()],
  '||': [(a, b: Lazy) => a || b(), (a, b: Lazy) => a && b()],
}

/** The switches of all places: at most one is thrown. */
export class Mutant {
  active = -1
  /** Where the places that are passed are noted. */
  reached: Set<number> | undefined

  readonly binary = (site: number, operator: string, a: never, b: never): unknown => {
    const [right, wrong] = PAIRS[operator]!
    // Joining texts has no opposite.
    if (operator === '+' && typeof a === 'string') return right(a, b)
    return (this.#thrown(site) ? wrong : right)(a, b)
  }

  readonly not = (site: number, value: unknown): unknown => (this.#thrown(site) ? !value : value)
  readonly off = (site: number, value: unknown): unknown => (this.#thrown(site) ? false : value)
  readonly number = (site: number, value: number): number => (this.#thrown(site) ? value + 1 : value)

  #thrown(site: number): boolean {
    this.reached?.add(site)
    return this.active === site
  }
}
