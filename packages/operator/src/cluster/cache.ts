import type { Metadata } from '../manifest/kronjob.ts'

interface Held {
  readonly metadata: Metadata
}

interface Entry<V> {
  readonly uid: string
  readonly version: string
  readonly value: V
}

/** Resource versions are decimal counters. */
export const isNewer = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length

const MOST_GRAVES = 10_000

/**
 * The latest known objects of one kind, updated by a reflector and by the answers to our own writes. An older version
 * never replaces a newer one, and a deleted object does not come back.
 */
export class Cache<O extends Held, V> {
  readonly #entries = new Map<string, Entry<V>>()
  readonly #graves = new Set<string>()
  readonly #viewOf: (object: O) => V
  readonly #onChange: (key: string, before: V | undefined, after: V | undefined) => void

  constructor(
    viewOf: (object: O) => V,
    onChange: (key: string, before: V | undefined, after: V | undefined) => void,
  ) {
    this.#viewOf = viewOf
    this.#onChange = onChange
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value
  }

  values(): V[] {
    return [...this.#entries.values()].map(each => each.value)
  }

  keys(): IterableIterator<string> {
    return this.#entries.keys()
  }

  put(object: O): void {
    const { uid, resourceVersion: version } = object.metadata
    const key = keyOf(object)
    const known = this.#entries.get(key)
    if (this.#graves.has(uid) || (known && !isNewer(version, known.version))) return
    const value = this.#viewOf(object)
    this.#entries.set(key, { uid, version, value })
    this.#onChange(key, known?.value, value)
  }

  remove(object: Held): void {
    this.#bury(object.metadata.uid)
    const known = this.#entries.get(keyOf(object))
    if (known?.uid === object.metadata.uid) this.#drop(keyOf(object), known)
  }

  /** The part of the cache that the reflector of one namespace updates. */
  within(namespace: string | undefined) {
    return {
      put: (object: O): void => this.put(object),
      remove: (object: O): void => this.remove(object),
      replace: (objects: readonly O[], version: string): void => this.replace(objects, version, namespace),
    }
  }

  /** Takes over the full list (of the namespace) at `version`. Other objects are removed unless they are newer. */
  replace(objects: readonly O[], version: string, namespace?: string): void {
    const present = new Set(objects.map(keyOf))
    for (const [key, entry] of this.#entries) {
      if (namespace !== undefined && !key.startsWith(`${namespace}/`)) continue
      if (present.has(key) || isNewer(entry.version, version)) continue
      this.#bury(entry.uid)
      this.#drop(key, entry)
    }
    for (const object of objects) this.put(object)
  }

  #drop(key: string, entry: Entry<V>): void {
    this.#entries.delete(key)
    this.#onChange(key, entry.value, undefined)
  }

  #bury(uid: string): void {
    this.#graves.add(uid)
    if (this.#graves.size <= MOST_GRAVES) return
    const [oldest] = this.#graves
    this.#graves.delete(oldest!)
  }
}

const keyOf = ({ metadata }: Held): string => `${metadata.namespace}/${metadata.name}`
