import { createRequire } from 'node:module'
import { getSystemErrorName } from 'node:util'

type Koffi = typeof import('koffi')
type Library = ReturnType<Koffi['load']>

let loaded: { koffi: Koffi; libc: Library } | undefined

/** Loaded on first use: most of this package works where foreign functions do not. */
function load(): { koffi: Koffi; libc: Library } {
  if (loaded !== undefined) return loaded
  if (process.platform === 'win32') throw new Error('Windows has no POSIX functions')
  const koffi = createRequire(import.meta.url)('koffi') as Koffi
  // The running program's own C library, whether glibc or musl.
  loaded = { koffi, libc: koffi.load(null) }
  return loaded
}

export const koffi = (): Koffi => load().koffi

/** A function of the C library, given by its prototype and looked up when it is first called. */
export function native<Arguments extends unknown[], Result>(
  prototype: string,
): (...values: Arguments) => Result {
  let call: ((...values: Arguments) => Result) | undefined
  return (...values) => {
    call ??= load().libc.func(prototype)
    return call(...values)
  }
}

/** The same, but run on the thread pool. */
export function nativeAsync<Arguments extends unknown[], Result>(
  prototype: string,
): (...values: Arguments) => Promise<Result> {
  let start: ((...values: unknown[]) => void) | undefined
  return (...values) => {
    start ??= load().libc.func(prototype).async
    return new Promise((resolve, reject) => {
      start!(...values, (error: Error | null, result: Result) => (error ? reject(error) : resolve(result)))
    })
  }
}

const known = new Map<string, boolean>()

/** Whether this C library has the function. */
export function hasNative(name: string): boolean {
  const { libc } = load()
  let has = known.get(name)
  if (has === undefined) {
    try {
      libc.symbol(name)
      has = true
    } catch {
      has = false
    }
    known.set(name, has)
  }
  return has
}

export const errnoName = (errno: number): string => getSystemErrorName(-errno)

/** The name of the error that the last call on this thread left behind. */
export const lastError = (): string => errnoName(koffi().errno())

/** For descriptors that did not come from Node, which would complain about them. */
export const closeDescriptor = native<[fd: number], number>('int close(int fd)')
