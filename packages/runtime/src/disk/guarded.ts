import { PersistenceError } from '@kron/core'

/** Does something to the disk; a failure says what was being done. */
export async function guarded<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw new PersistenceError(`cannot ${what}: ${(error as Error).message}`, {
      component: 'disk',
      operation: what.slice(0, what.indexOf(' ')),
      cause: error,
    })
  }
}
