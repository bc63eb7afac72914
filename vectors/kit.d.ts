export interface Case {
  readonly kind: string
  readonly name: string
  readonly input: object
  readonly expected: object
}

export interface Judged {
  readonly kind: string
  readonly name: string
  readonly verdict: 'agrees' | 'differs' | 'unsupported'
  readonly expected: unknown
  readonly found: unknown
}

export interface Answers {
  readonly engine: string
  readonly judged: readonly Judged[]
}

export const PROTOCOL: string
export function casesOf(only?: readonly string[]): Case[]
export function ask(
  command: readonly string[],
  cases: readonly Case[],
  timeoutSeconds?: number,
): Promise<Answers>
export function report(answers: Answers): string[]
