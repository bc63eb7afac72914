import { readFileSync, statSync } from 'node:fs'

/** The text of a file that no other user can read, without white space around it. Throws if others can read it. */
export function readSecret(path: string): string {
  if ((statSync(path).mode & 0o077) !== 0) throw new Error('others may read it')
  return readFileSync(path, 'utf8').trim()
}
