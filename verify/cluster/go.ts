import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { start } from './child.ts'

const here = import.meta.dirname
/** The first Go that fetches the newer one that a go.mod asks for. */
const OLDEST = [1, 21] as const
const OFTEN = 30_000

/** Where Go is, on the PATH or where its own installer puts it. */
function findGo(): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin']
  return directories.map(directory => join(directory, 'go')).find(existsSync)
}

/** Why no control plane can be built on this machine; undefined if one can. */
export function obstacle(): string | undefined {
  if (process.platform === 'win32') return 'a control plane runs on Linux and macOS only'
  const go = findGo()
  if (go === undefined) return 'there is no Go to build a control plane with'
  const { stdout } = spawnSync(go, ['version'], { encoding: 'utf8', env: environment('local') })
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  const known = Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1])
  return known ? undefined : `Go ${OLDEST.join('.')} or newer is needed to build a control plane`
}

/** Settings of the machine that would change what is built are set aside; a Go that is too old fetches its successor. */
const environment = (toolchain: 'auto' | 'local'): NodeJS.ProcessEnv => ({
  ...process.env,
  CGO_ENABLED: '0',
  GOFLAGS: '-buildvcs=false',
  GOTOOLCHAIN: toolchain,
  GOWORK: 'off',
})

export interface GoBuild {
  readonly package: string
  readonly output: string
  readonly log: string
  /** Told now and then how many seconds it has taken so far. */
  readonly onProgress: (seconds: number) => void
}

/** Builds one program of the pinned modules. */
export async function buildWithGo({ package: path, output, log, onProgress }: GoBuild): Promise<void> {
  const go = findGo()
  if (go === undefined) throw new Error(obstacle())
  const started = performance.now()
  const seconds = (): number => Math.round((performance.now() - started) / 1000)
  const timer = setInterval(() => onProgress(seconds()), OFTEN)
  const args = ['-C', here, 'build', '-mod=readonly', '-trimpath', '-ldflags', '-s -w', '-o', output, path]
  const code = await start(go, args, log, environment('auto')).exited
  clearInterval(timer)
  if (code === 0) return
  const said = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-20).join('\n')
  throw new Error(`go build ${path} failed (exit ${code}):\n${said}`)
}
