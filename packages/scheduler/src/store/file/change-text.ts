import type { Change } from '../store.ts'

/** Records a part of a change may have; larger ones would be held in memory several times over. */
const LARGEST_PART = 10_000

/** How a text in the journal belongs to a change: all of it, or its beginning, middle or end. */
type Mark = 'C' | 'B' | 'P' | 'E'

/** The texts that, written to the journal one after the other, are a change. */
export function* changeTexts({ put, remove }: Change, largest = LARGEST_PART): Generator<string> {
  const parts = Math.max(1, Math.ceil((put.length + remove.length) / largest))
  for (let part = 0; part < parts; part++) {
    const from = part * largest
    const piece = {
      put: put.slice(from, from + largest),
      remove: remove.slice(Math.max(0, from - put.length), Math.max(0, from + largest - put.length)),
    }
    yield `${markOf(part, parts)}${JSON.stringify(piece)}`
  }
}

function markOf(part: number, parts: number): Mark {
  if (parts === 1) return 'C'
  if (part === 0) return 'B'
  return part === parts - 1 ? 'E' : 'P'
}

/** A change as it was read; whether its records are records remains to be seen. */
export interface ReadChange {
  readonly put: readonly unknown[]
  readonly remove: readonly string[]
}

/** Puts the texts of a journal together to changes; a change without its end never happened. */
export class ChangeReader {
  #parts: ReadChange[] = []

  /** The changes that this text completes. */
  read(text: string): readonly ReadChange[] {
    const mark = text[0] as Mark
    if (mark === 'C' || mark === 'B') this.#parts = []
    this.#parts.push(changeIn(text))
    if (mark === 'B' || mark === 'P') return []
    const complete = this.#parts
    this.#parts = []
    return complete
  }
}

function changeIn(text: string): ReadChange {
  const value = JSON.parse(text.slice(1)) as { put?: unknown; remove?: unknown } | null
  if (!'CBPE'.includes(text[0]!) || !Array.isArray(value?.put) || !Array.isArray(value.remove)) {
    throw new SyntaxError('not a change of tasks')
  }
  return { put: value.put, remove: value.remove }
}
