import type { Change } from '../store.ts'

/** The largest number of records in one part of a change. A larger part would be in memory several times. */
const LARGEST_PART = 10_000

/** The position of a journal text in its change: the whole change, or its beginning, middle or end. */
type Mark = 'C' | 'B' | 'P' | 'E'

/** The texts of a change, to be written to the journal one after the other. */
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

/** A change read from the journal. Its records are not validated yet. */
export interface ReadChange {
  readonly put: readonly unknown[]
  readonly remove: readonly string[]
}

/** Assembles changes from the texts of a journal. A change without its last part is ignored. */
export class ChangeReader {
  #parts: ReadChange[] = []

  /** Returns the changes that this text completes. */
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
