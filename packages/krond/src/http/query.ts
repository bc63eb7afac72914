import { parseDuration, parseInstant, SECOND } from '@kron/core'
import { Refusal } from './refusal.ts'

/** The query parameters of a request, parsed by type; an invalid value is refused with a reason. */
export class Query {
  readonly #given: URLSearchParams

  constructor(given: URLSearchParams, known: readonly string[]) {
    this.#given = given
    for (const name of given.keys())
      if (!known.includes(name))
        throw refuse(`unknown parameter ${JSON.stringify(name)}`, `parameters are ${known.join(', ')}`)
  }

  text(name: string): string | undefined {
    return this.#given.get(name) ?? undefined
  }

  required(name: string): string {
    return this.text(name) ?? fail(`the parameter ${name} is missing`)
  }

  list(name: string, most: number): readonly string[] {
    const values = this.#given.getAll(name)
    return values.length <= most ? values : fail(`more than ${most} times ${name}`, 'ask in parts')
  }

  count(name: string, least: number, most: number, otherwise: number): number {
    const text = this.text(name)
    if (text === undefined) return otherwise
    const n = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    return n >= least && n <= most ? n : fail(`${name} must be a whole number from ${least} to ${most}`)
  }

  instant(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const instant = parseInstant(text)
    return instant.ok
      ? instant.value
      : fail(`${name}: ${instant.faults[0]!.message}`, instant.faults[0]!.hint)
  }

  /** A duration in whole seconds. */
  duration(name: string, least: number, most: number, otherwise: number): number {
    const text = this.text(name)
    if (text === undefined) return otherwise
    const read = parseDuration(text)
    if (!read.ok) return fail(`${name}: ${read.faults[0]!.message}`, read.faults[0]!.hint)
    const seconds = Math.floor(read.value / SECOND)
    return seconds >= least && seconds <= most ? seconds : fail(`${name} must be from ${least}s to ${most}s`)
  }

  choices<T extends string>(name: string, choices: readonly T[]): readonly T[] {
    const texts = this.text(name)?.split(',') ?? []
    return texts.map(
      text =>
        choices.find(each => each === text) ??
        fail(`${name} must be of ${choices.join(', ')}, found ${text}`),
    )
  }
}

const refuse = (message: string, hint?: string): Refusal => new Refusal(400, message, hint)

function fail(message: string, hint?: string): never {
  throw refuse(message, hint)
}
