import { hasNative, native } from './native.ts'

const trim = native<[pad: number], number>('int malloc_trim(size_t pad)')

/** Gives memory that the C library keeps for later back to the system; musl keeps none. */
export function returnFreeMemory(): void {
  if (hasNative('malloc_trim')) trim(0)
}
