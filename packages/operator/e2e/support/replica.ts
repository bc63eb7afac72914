import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, freePort, start } from '../../../../verify/cluster/child.ts'
import { until } from '../../../../verify/cluster/until.ts'
import { leasesPath } from '../../src/cluster/paths.ts'
import type { World } from './world.ts'

/** The operator of this checkout, or another build that must pass the same tests. */
const OPERATOR =
  process.env['KRON_OPERATOR_UNDER_TEST'] ?? join(import.meta.dirname, '../../src/bin/kron-operator.ts')

export interface ReplicaOptions {
  readonly name: string
  /** The namespace that the replica watches. Its lease is in the same namespace. */
  readonly namespace?: string
  readonly kubeconfig?: string
  readonly lease?: string
  readonly leaseNamespace?: string
  /** `default` selects the operator's own default. */
  readonly leaseDuration?: string
  readonly watchTimeout?: string
  /** A program to run instead of the operator: with a skewed clock, or built. */
  readonly program?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A real kron-operator process. */
export interface Replica extends Child {
  readonly port: number
  readonly logged: () => string
  leading(): Promise<void>
}

export async function startReplica(world: World, options: ReplicaOptions): Promise<Replica> {
  const port = await freePort()
  const log = join(world.plane.directory, `operator-${options.name}.log`)
  const before = sizeOf(log)
  const program = options.program ?? OPERATOR
  const args = [
    ...(program.endsWith('.ts') ? ['--conditions=kron-source'] : []),
    program,
    `--kubeconfig=${options.kubeconfig ?? world.plane.kubeconfig}`,
    `--lease-namespace=${options.leaseNamespace ?? options.namespace ?? 'kron-system'}`,
    `--lease-name=${options.lease ?? 'kron-operator'}`,
    ...(options.leaseDuration === 'default' ? [] : [`--lease-duration=${options.leaseDuration ?? '15s'}`]),
    `--identity=${options.name}`,
    ...(options.args ?? []),
    `--port=${port}`,
    ...(options.namespace === undefined ? [] : [`--namespace=${options.namespace}`]),
    ...(options.watchTimeout === undefined ? [] : [`--watch-timeout=${options.watchTimeout}`]),
  ]
  const child = start(process.execPath, args, log, { ...process.env, ...options.env })
  const logged = (): string => readFileSync(log, 'utf8').slice(before)
  const leading = async (): Promise<void> => {
    await until(`replica ${options.name} leads`, () => logged().includes('"event":"leading"'), {
      every: 20,
    })
  }
  return { ...child, port, logged, leading }
}

/** The identity of the replica that holds the lease of a namespace. */
export async function holderOf({ api }: World, namespace: string): Promise<string | undefined> {
  const lease = await api.get<{ spec: { holderIdentity?: string } }>(leasesPath(namespace, 'kron-operator'))
  return lease.spec.holderIdentity
}

/** The times in epoch milliseconds at which a replica logged an event. */
export function timesOf(replica: Replica, event: string): number[] {
  const lines = replica.logged().split('\n')
  const found = lines.filter(line => line.endsWith('}') && line.includes(`"event":"${event}"`))
  return found.map(line => Date.parse(JSON.parse(line).time))
}

function sizeOf(file: string): number {
  try {
    return readFileSync(file, 'utf8').length
  } catch {
    return 0
  }
}
