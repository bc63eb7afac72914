import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { StartOptions } from '@kron/testkit/krond/blackbox/krond'
import { BEFORE_SHIM, earlierSources } from '../earlier.ts'

const ROOT = realpathSync(join(import.meta.dirname, '../..'))

/** How to start the daemon that a scene is about, and where its sources are. */
export interface Version {
  readonly sources: string
  readonly options: StartOptions
}

/**
 * Plays the same scene with the present daemon, which does not show the fault, and with the daemon of the last commit
 * before kron-shim, which does. `obstacle` is the reason why the scene cannot be played on this machine.
 */
export function seen<T>(
  title: string,
  scene: (t: TestContext, version: Version) => Promise<T>,
  expected: { readonly before: T; readonly now: T },
  obstacle?: string,
): void {
  test(title, { timeout: 600_000 }, async t => {
    if (obstacle !== undefined) return t.skip(`NOT PLAYED: ${obstacle}`)
    assert.deepEqual(await scene(t, { sources: ROOT, options: {} }), expected.now)
    const earlier = earlierSources(BEFORE_SHIM)
    if (earlier === undefined)
      return t.skip(`NOT PLAYED with the earlier daemon: commit ${BEFORE_SHIM} cannot be had here`)
    assert.deepEqual(await scene(t, { sources: earlier, options: { earlier } }), expected.before)
  })
}

export function directoryOf(t: TestContext): string {
  const directory = realpathSync(mkdtempSync(`${tmpdir()}/kron-seen-`))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
