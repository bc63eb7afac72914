import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The programs on the path that npm did not put there, in their order. */
function ownNodes(): readonly string[] {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(directory => directory !== '' && !directory.includes('node_modules'))
    .map(directory => join(directory, name))
    .filter(isExecutable)
}

/** The machine's own Node, which is not the pinned one. */
export const ownNode = (): string | undefined => ownNodes()[0]

/** The machine's own Node of this major version. */
export const ownNodeOf = (major: number): string | undefined =>
  ownNodes().find(node => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    return stdout?.startsWith(`v${major}.`)
  })

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
