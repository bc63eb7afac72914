import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { cacheDirectory } from '../../../../verify/cluster/binaries.ts'

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.19.0'
const DIRECTORY = join(dirname(cacheDirectory()), 'tools')
const run = promisify(execFile)

/** Programs that show how other tools read Kron's objects. They are built once from the Go module proxy. */
const TOOLS = ['helm', 'kstatus', 'lua'] as const
export type Tool = (typeof TOOLS)[number]

/** Builds the missing tools in advance. A build during the tests would delay every test that runs beside it. */
export function prepareTools(say: (line: string) => void): void {
  for (const each of TOOLS) {
    if (existsSync(builtAt(each))) continue
    say(`building ${each} (once)`)
    pathOf(each)
  }
}

const builtAt = (tool: Tool): string => join(DIRECTORY, tool)

function pathOf(tool: Tool): string {
  const path = builtAt(tool)
  if (existsSync(path)) return path
  mkdirSync(DIRECTORY, { recursive: true })
  const args = tool === 'helm' ? ['install', HELM] : ['build', '-o', path, `./${tool}`]
  const { status, stderr } = spawnSync('go', args, {
    cwd: join(import.meta.dirname, '../tools'),
    encoding: 'utf8',
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOBIN: DIRECTORY, GOWORK: 'off' },
  })
  if (status !== 0) throw new Error(`cannot build ${tool}: ${stderr}`)
  return path
}

/** The output of a tool. */
export async function tool(name: Tool, args: readonly string[]): Promise<string> {
  const { stdout } = await run(pathOf(name), args as string[], { maxBuffer: 1 << 26 })
  return stdout
}

/** The output of a tool for each object, one line each. */
export function judge(name: Tool, args: readonly string[], objects: readonly object[]): string[] {
  const input = objects.map(each => `${JSON.stringify(each)}\n`).join('')
  const { stdout, stderr, status } = spawnSync(pathOf(name), args, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trimEnd().split('\n')
}
