import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { linuxProcessTable } from '../process/linux-process-table.ts'
import type { Exit } from '../process/process-table.ts'
import type { LaunchSpec } from './launcher.ts'
import { posixLauncher } from './posix-launcher.ts'

export const processes = linuxProcessTable()
export const isRoot = process.getuid?.() === 0

export const launcher = posixLauncher(processes)

export const root = mkdtempSync(join(tmpdir(), 'kron-launch-'))
after(() => rmSync(root, { recursive: true }))
let count = 0
export const directory = (): string => mkdtempSync(join(root, `${count++}-`))

export const PATH = '/usr/local/bin:/usr/bin:/bin'
export const discard = { kind: 'discard' } as const

/** A spec of which the test says only what matters to it. */
export const specOf = (command: LaunchSpec['command'], rest: Partial<LaunchSpec> = {}): LaunchSpec => ({
  command,
  environment: { PATH },
  stdout: discard,
  stderr: discard,
  ...rest,
})

export interface Ran {
  readonly exit: Exit
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end. */
export async function run(command: LaunchSpec['command'], rest: Partial<LaunchSpec> = {}): Promise<Ran> {
  const dir = directory()
  const [stdout, stderr] = [`${dir}/out`, `${dir}/err`]
  const { exited } = await launcher.launch(
    specOf(command, {
      stdout: { kind: 'file', path: stdout },
      stderr: { kind: 'file', path: stderr },
      ...rest,
    }),
  )
  const exit = await exited
  return { exit, stdout: readFileSync(stdout, 'utf8'), stderr: readFileSync(stderr, 'utf8') }
}
