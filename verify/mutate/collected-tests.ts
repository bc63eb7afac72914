/** Stands in for `node:test`: the tests of a file are gathered, to be run as often as there are mutants. */
type Run = (context: unknown) => unknown

export interface CollectedTest {
  readonly name: string
  readonly run: Run
}

export const collected: CollectedTest[] = []

export function test(name: string, ...rest: unknown[]): void {
  collected.push({ name, run: rest.at(-1) as Run })
}

export default test

/** The tests of a group are gathered like any other. */
export const describe = (_name: string, body: () => void): void => body()

const nothing = (): void => {}

export { nothing as after, nothing as afterEach, nothing as before, nothing as beforeEach }
