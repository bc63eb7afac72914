import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The part of the output that goes into the pipe; the rest is dropped. */
const REDIRECTIONS = { output: '2>/dev/null', errors: '2>&1 >/dev/null', both: '2>&1' } as const

/** The exit status of Node with these words, if what it prints goes into a pipe that nobody reads any more. */
export function exitWithoutReader(
  what: keyof typeof REDIRECTIONS,
  words: readonly string[],
  cwd: string = process.cwd(),
): number {
  const directory = mkdtempSync(join(tmpdir(), 'kron-gone-'))
  const gone = join(directory, 'gone')
  // The fifo tells the program's side that the reader of the pipe has gone.
  const script = `mkfifo "$GONE"
    { read line <"$GONE"; "$@" ${REDIRECTIONS[what]}; echo "$?" >&3; } 3>&2 | { exec <&-; echo gone >"$GONE"; }`
  try {
    const { stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...words], {
      cwd,
      env: { ...process.env, GONE: gone },
      encoding: 'utf8',
    })
    assert.match(stderr, /^\d+\n$/)
    return Number(stderr)
  } finally {
    rmSync(directory, { recursive: true })
  }
}
