import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const here = import.meta.dirname

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

function versions(): string {
  const pins = readFileSync(join(here, 'go.mod'), 'utf8')
  const modules = [...new Set(Object.values(PROGRAMS).map(each => each.module))]
  return modules
    .map(module => {
      const version = new RegExp(`^\\s*${module.replaceAll('.', '\\.')} (v[^\\s]+)`, 'm').exec(pins)?.[1]
      if (version === undefined) throw new Error(`go.mod does not pin ${module}`)
      return `${module.split('/').find(part => /^(etcd|kubernetes|kwok)$/.test(part))}-${version}`
    })
    .join('_')
}

export const hasGo = (): boolean => spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0

export const cacheDirectory = (): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kron-cluster', versions())

/** The programs of a control plane, built from the Go module proxy once and kept outside the checkout. */
export function binaries(say: (line: string) => void): Binaries {
  const directory = cacheDirectory()
  mkdirSync(directory, { recursive: true })
  const paths = {} as Record<Program, string>
  for (const program of Object.keys(PROGRAMS) as Program[]) {
    const path = join(directory, program)
    if (!existsSync(path)) build(program, path, say)
    paths[program] = path
  }
  return paths
}

function build(program: Program, path: string, say: (line: string) => void): void {
  const started = performance.now()
  say(`building ${program} (once; it is kept in ${path})`)
  const unfinished = `${path}.${process.pid}`
  const args = [
    'build',
    '-mod=readonly',
    '-trimpath',
    '-ldflags',
    '-s -w',
    '-o',
    unfinished,
    PROGRAMS[program].package,
  ]
  try {
    execFileSync('go', args, {
      cwd: here,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
    })
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
  say(`built ${program} in ${Math.round((performance.now() - started) / 1000)} s`)
}
