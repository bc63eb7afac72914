import type { Command } from '@kron/cli'
import { KROND } from '../../packages/krond/src/cli.ts'
import { KRONTAB } from '../../packages/krontab/src/program/program.ts'
import { KRONCTL } from '../../packages/operator/src/kronctl/command.ts'
import { type ControlFiles, controlOfKron, controlOfKronctl } from './control.ts'

/** The contents of a Debian package. */
export interface Product {
  readonly name: string
  readonly packages: readonly string[]
  readonly programs: readonly Command[]
  readonly pages: readonly string[]
  /** A shell command that prints the jobs there are, for completion. */
  readonly jobs: string
  /** Where files of the repository go. */
  readonly files: Readonly<Record<string, string>>
  readonly directories: readonly string[]
  control(version: string, kilobytes: number): ControlFiles
}

export const KRON: Product = {
  name: 'kron',
  packages: ['core', 'runtime', 'shim', 'host', 'cli', 'calendar', 'krontab', 'krond', 'console'],
  programs: [KROND, KRONTAB],
  pages: ['krond.8', 'krontab.1', 'krontab.5'],
  jobs: 'krontab list --names',
  files: {
    'packaging/systemd/krond.service': 'usr/lib/systemd/system/krond.service',
    'packaging/systemd/sysusers.conf': 'usr/lib/sysusers.d/kron.conf',
    'packaging/systemd/tmpfiles.conf': 'usr/lib/tmpfiles.d/kron.conf',
    'packaging/systemd/hardened.conf': 'usr/share/doc/kron/examples/hardened.conf',
    'packaging/krond.conf': 'usr/share/kron/krond.conf',
  },
  directories: ['etc/krond.d'],
  control: controlOfKron,
}

/** Apart from krond: hosts need no client of a cluster, and who talks to a cluster needs no daemon. */
export const KRONCTL_ALONE: Product = {
  name: 'kronctl',
  packages: ['core', 'runtime', 'cli', 'operator'],
  programs: [KRONCTL],
  pages: ['kronctl.1'],
  jobs: "kubectl get kronjobs -A --no-headers -o custom-columns=a:.metadata.namespace,b:.metadata.name | tr -s ' ' /",
  files: {},
  directories: [],
  control: controlOfKronctl,
}

export const PRODUCTS = [KRON, KRONCTL_ALONE]
