/** The functions of `@kron/core` that a runner needs, from the sources or from the build. */
export type Core = typeof import('@kron/core')

export interface Failure {
  readonly name: string
  readonly expected: unknown
  readonly found: unknown
}

export interface Report {
  readonly file: string
  readonly cases: number
  readonly failures: readonly Failure[]
}

export function decisionOf(core: Core, input: object): Record<string, unknown>
export function periodsOf(core: Core, input: object): Record<string, unknown>
export function checkDirectory(core: Core, directory: string): Report[]
export function referenceDirectory(): string | undefined
