import type { Given } from '@kron/cli'
import { IMAGE, installation, printManifests } from '../install/manifests.ts'
import type { INSTALL_OPTIONS } from './command.ts'
import { Complaint, type Terminal } from './terminal.ts'

export function runInstall(options: Given<typeof INSTALL_OPTIONS>, terminal: Terminal): number {
  if (!options.print)
    throw new Complaint('kronctl changes no cluster: kronctl install --print | kubectl apply -f -')
  const { namespace = 'kron-system', only, image = IMAGE } = options
  terminal.out(printManifests(installation({ namespace, only, image })))
  return 0
}
