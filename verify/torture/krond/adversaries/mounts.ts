import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Why nothing can be mounted here. */
export function mountObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'mounting needs root'
  const directory = mkdtempSync(`${tmpdir()}/kron-mount-`)
  try {
    run('mount', '-t', 'tmpfs', 'tmpfs', directory)
    run('umount', directory)
    return undefined
  } catch (error) {
    return (error as Error).message.trim()
  } finally {
    rmdirSync(directory)
  }
}

export function run(program: string, ...words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`)
}
