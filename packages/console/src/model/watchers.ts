import { useEffect, useReducer } from 'preact/hooks'

/** Something that can be watched; many changes in one frame are told once. */
export class Watchers {
  readonly #watchers = new Set<() => void>()
  #told = true

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  changed(): void {
    if (!this.#told) return
    this.#told = false
    // A timer, not a frame: a page in the background must not fall behind.
    setTimeout(() => {
      this.#told = true
      for (const watcher of this.#watchers) watcher()
    }, 16)
  }
}

/** Renders again whenever it changes. */
export function useWatched<T extends Watchers>(watched: T): T {
  const [, render] = useReducer((n: number) => n + 1, 0)
  useEffect(() => watched.watch(() => render(undefined)), [watched])
  return watched
}
