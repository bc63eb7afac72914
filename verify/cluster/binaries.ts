import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DirectoryLock, LockHeldError } from '@kron/runtime'
import { buildWithGo } from './go.ts'

/** Each program, the Go package it is built from, and the module whose version names it. */
const PROGRAMS = {
  etcd: { package: 'go.etcd.io/etcd/server/v3', module: 'go.etcd.io/etcd/server/v3' },
  kwok: { package: 'sigs.k8s.io/kwok/cmd/kwok', module: 'sigs.k8s.io/kwok' },
  kubectl: { package: 'k8s.io/kubernetes/cmd/kubectl', module: 'k8s.io/kubernetes' },
  'kube-apiserver': { package: 'k8s.io/kubernetes/cmd/kube-apiserver', module: 'k8s.io/kubernetes' },
  'kube-controller-manager': {
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    module: 'k8s.io/kubernetes',
  },
} as const

export type Program = keyof typeof PROGRAMS
export type Binaries = Readonly<Record<Program, string>>
type Say = (line: string) => void

const ALL = Object.keys(PROGRAMS) as readonly Program[]
const UNFINISHED = '.unfinished'

function versions(): string {
  const pins = readFileSync(join(import.meta.dirname, 'go.mod'), 'utf8')
  const modules = [...new Set(Object.values(PROGRAMS).map(each => each.module))]
  return modules
    .map(module => {
      const version = new RegExp(`^\\s*${module.replaceAll('.', '\\.')} (v[^\\s]+)`, 'm').exec(pins)?.[1]
      if (version === undefined) throw new Error(`go.mod does not pin ${module}`)
      return `${module.split('/').find(part => /^(etcd|kubernetes|kwok)$/.test(part))}-${version}`
    })
    .join('_')
}

export const cacheDirectory = (): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kron-cluster', versions())

/** The programs of a control plane, built from the Go module proxy once and kept outside the checkout. */
export async function binaries(say: Say): Promise<Binaries> {
  const directory = cacheDirectory()
  const pathOf = (program: Program): string => join(directory, program)
  const missing = (): Program[] => ALL.filter(program => !existsSync(pathOf(program)))
  if (missing().length > 0) {
    mkdirSync(directory, { recursive: true })
    const lock = await acquire(join(directory, 'lock'), say)
    try {
      clearUnfinished(directory)
      for (const program of missing()) await build(program, pathOf(program), say)
    } finally {
      lock.release()
    }
  }
  return Object.fromEntries(ALL.map(program => [program, pathOf(program)])) as Binaries
}

/** One builder at a time; the others wait and then find everything built. */
async function acquire(path: string, say: Say): Promise<DirectoryLock> {
  for (let told = false; ; told = true) {
    try {
      return await DirectoryLock.acquire(path)
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error
      if (!told) say(`${error.message}, which builds the control plane: waiting for it`)
      await pause(1_000)
    }
  }
}

/** Removes the files of an interrupted build. The lock guarantees that no other process writes them. */
function clearUnfinished(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.endsWith(UNFINISHED)) rmSync(join(directory, name))
  }
}

/** A program appears under its name only when it is complete. */
async function build(program: Program, path: string, say: Say): Promise<void> {
  const started = performance.now()
  say(`building ${program}, ${ALL.indexOf(program) + 1} of ${ALL.length} (once; it is kept in ${path})`)
  // The compiler of a build that was killed may go on for a while: its file is not ours.
  const output = `${path}.${process.pid}${UNFINISHED}`
  const log = `${path}.${process.pid}.log${UNFINISHED}`
  await buildWithGo({
    package: PROGRAMS[program].package,
    output,
    log,
    onProgress: seconds => say(`still building ${program}, ${seconds} s so far`),
  })
  renameSync(output, path)
  rmSync(log)
  say(`built ${program} in ${Math.round((performance.now() - started) / 1000)} s`)
}
