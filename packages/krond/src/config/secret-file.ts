import { readFileSync, statSync } from 'node:fs'
import { ConfigurationError } from '@kron/core'

/** The text of a file that no other user can read, without white space around it. `what` is for the refusal. */
export function readSecret(path: string, what: string, operation: string): string {
  try {
    if ((statSync(path).mode & 0o077) !== 0) throw new Error('others may read it')
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new ConfigurationError(`cannot use ${what}: ${(error as Error).message}`, {
      component: 'configuration',
      operation,
      hint: `chmod 0600 ${path}`,
    })
  }
}
