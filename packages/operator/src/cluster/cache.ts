import { keyOf, type Metadata } from '../manifest/kronjob.ts'

interface Held {
  readonly metadata: Metadata
}

interface Entry<S> {
  readonly uid: string
  readonly version: string
  readonly stored: S
}

/** Resource versions are decimal counters. */
const isNewer = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length

const MOST_GRAVES = 10_000

/**
 * The latest known objects of one kind, updated by a reflector and by the answers to our own writes. An older version
 * never replaces a newer one, and a deleted object does not come back.
 */
export class Cache<O extends Held, S, V = S> {
  readonly #entries = new Map<string, Entry<S>>()
  readonly #graves = new Set<string>()
  readonly #pack: (object: O) => S
  readonly #onChange: (key: string, before: S | undefined, after: S | undefined) => void
  readonly #unpack: (stored: S) => V

  /** `pack` makes the stored form of an object, and `unpack` makes from it the form that is read. */
  constructor(
    pack: (object: O) => S,
    onChange: (key: string, before: S | undefined, after: S | undefined) => void,
    unpack: (stored: S) => V = stored => stored as unknown as V,
  ) {
    this.#pack = pack
    this.#onChange = onChange
    this.#unpack = unpack
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    return entry && this.#unpack(entry.stored)
  }

  /** The first objects, at most so many. */
  first(most: number): V[] {
    const found: V[] = []
    for (const { stored } of this.#entries.values()) {
      if (found.length >= most) break
      found.push(this.#unpack(stored))
    }
    return found
  }

  keys(): IterableIterator<string> {
    return this.#entries.keys()
  }

  put(object: O): void {
    const { uid, resourceVersion: version } = object.metadata
    const key = keyOf(object)
    const known = this.#entries.get(key)
    if (this.#graves.has(uid) || (known && !isNewer(version, known.version))) return
    const stored = this.#pack(object)
    this.#entries.set(key, { uid, version, stored })
    this.#onChange(key, known?.stored, stored)
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
      retain: (keys: ReadonlySet<string>, version: string): void => this.retain(keys, version, namespace),
    }
  }

  /** Removes the objects (of the namespace) that a full list at `version` did not have, unless they are newer. */
  retain(present: ReadonlySet<string>, version: string, namespace?: string): void {
    for (const [key, entry] of this.#entries) {
      if (namespace !== undefined && !key.startsWith(`${namespace}/`)) continue
      if (present.has(key) || isNewer(entry.version, version)) continue
      this.#bury(entry.uid)
      this.#drop(key, entry)
    }
  }

  #drop(key: string, entry: Entry<S>): void {
    this.#entries.delete(key)
    this.#onChange(key, entry.stored, undefined)
  }

  #bury(uid: string): void {
    this.#graves.add(uid)
    if (this.#graves.size <= MOST_GRAVES) return
    const [oldest] = this.#graves
    this.#graves.delete(oldest!)
  }
}
